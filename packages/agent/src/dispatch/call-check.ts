import type { ToolCallBlock } from "@ashlar/context";
import type { ToolInfo } from "@ashlar/env";
import { invalidArguments, unknownTool } from "../loop/call-answer.js";
import { readArguments } from "../loop/call-arguments.js";
import { type Permission, permit, refuse } from "../loop/permission.js";
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
  /** It changes nothing, as its tool says; only then may it overlap others. */
  readonly readOnly: boolean;
}

export type CheckedCall = { readonly run: RunnableCall } | { readonly answered: AnsweredCall };

/** Parses and validates one call, and asks the rules. Never throws: what is wrong is the call's answer. */
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
  const limited = resolveCallTimeout(tool, valid.args, policy);
  const readOnly = tool.safe && (tool.readOnly?.(limited.args) ?? true);
  const run: RunnableCall = { block, tool, notes, readOnly, ...limited };
  const refused = host.permissions.refusal(name, run.args);
  return refused === undefined ? { run } : { answered: answerRefused(run, refuse(name, refused)) };
}

/** Does it need the sandbox? */
export function isIsolated({ tool, readOnly }: RunnableCall): boolean {
  return !readOnly || tool.sandbox;
}

/**
 * The answer to a call that may not run, as things stand now; undefined when it may. Asks the person whom a rule wants
 * asked, and tries the sandbox before the first call that needs it.
 */
export async function refuseCall(call: RunnableCall, host: ToolHost): Promise<AnsweredCall | undefined> {
  const permission = await permitCall(call, host);
  return permission.allowed ? undefined : answerRefused(call, permission);
}

async function permitCall(call: RunnableCall, host: ToolHost): Promise<Permission> {
  const { tool, args, readOnly } = call;
  const { name } = tool;
  const subject = { name, interactive: tool.interactive, refusal: standingRefusal(call), safe: readOnly };
  const known = (): Permission =>
    permit(subject, {
      canWrite: host.canWrite(),
      readOnly: host.sandbox.refusal,
      attended: host.question !== undefined,
    });
  const permission = known();
  if (!permission.allowed) return permission;
  const noSandbox = isIsolated(call) ? await host.sandbox.findRefusal() : undefined;
  if (noSandbox !== undefined) return refuse(name, noSandbox);
  const refused = await host.permissions.ask(name, args, host.signal);
  if (refused !== undefined) return refuse(name, refused);
  // Whoever was asked may have taken his time.
  return known();
}

function standingRefusal(call: RunnableCall): string | undefined {
  const { refusal, file } = call.tool;
  if (refusal !== undefined || !isIsolated(call) || file !== undefined) return refusal;
  return "it is a function of the host's own program, and only a tool that is a module file can run in a sandbox";
}

function answerRefused(
  { block, args }: RunnableCall,
  { message, refused }: Extract<Permission, { allowed: false }>,
): AnsweredCall {
  return answerCall(block, errorAnswer(message), { args, refused });
}
