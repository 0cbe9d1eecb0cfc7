import type { ToolCallBlock } from "@ashlar/context";
import type { ToolInfo } from "@ashlar/env";
import { invalidArguments, unknownTool } from "../loop/call-answer.js";
import { readArguments } from "../loop/call-arguments.js";
import { permit } from "../loop/permission.js";
import { errorAnswer, readToolError } from "../loop/tool-value.js";
import { type AnsweredCall, answerCall } from "./answered-call.js";
import { type CallTimeout, resolveCallTimeout } from "./call-timeout.js";
import type { ToolHost } from "./tool-host.js";

/** A call whose tool is known and whose arguments fit. */
export interface RunnableCall extends CallTimeout {
  readonly block: ToolCallBlock;
  readonly tool: ToolInfo;
  /** What was read differently from what the model wrote. */
  readonly notes: readonly string[];
}

export type CheckedCall = { readonly run: RunnableCall } | { readonly answered: AnsweredCall };

/** Parses and validates one call. Never throws: what is wrong is the call's answer. */
export function checkCall(block: ToolCallBlock, host: ToolHost): CheckedCall {
  try {
    return check(block, host);
  } catch (error) {
    return { answered: answerCall(block, readToolError(error)) };
  }
}

function check(block: ToolCallBlock, host: ToolHost): CheckedCall {
  const { name } = block;
  const tool = host.tools.get(name);
  if (tool === undefined) {
    return { answered: answerCall(block, errorAnswer(unknownTool(name, host.tools.keys()))) };
  }
  const read = readArguments(block.arguments);
  if (!read.ok) return { answered: answerCall(block, errorAnswer(read.problem), { cut: true }) };
  const valid = host.env.toolValidate(name, read.args);
  if (!valid.ok) return { answered: answerCall(block, errorAnswer(invalidArguments(name, valid.problems))) };
  const notes = read.note === undefined ? valid.notes : [read.note, ...valid.notes];
  const policy = { ...host.policy, timeout: host.timeoutMs ?? host.policy.timeout };
  return { run: { block, tool, notes, ...resolveCallTimeout(tool, valid.args, policy) } };
}

/** The answer to a call that may not run, as things stand now; undefined when it may. */
export function refuseCall({ block, tool, args }: RunnableCall, host: ToolHost): AnsweredCall | undefined {
  const { name, interactive, refusal } = tool;
  const safe = tool.safe && (tool.readOnly?.(args) ?? true);
  const state = { canWrite: host.canWrite(), attended: host.question !== undefined };
  const permission = permit({ name, interactive, refusal, safe }, state);
  if (permission.allowed) return undefined;
  return answerCall(block, errorAnswer(permission.message), { args, refused: permission.refused });
}
