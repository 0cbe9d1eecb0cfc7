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
  /** The arguments as they were validated, `timeout` included. */
  readonly asked: unknown;
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
  const notes = read.note === undefined ? [] : [read.note];
  const checked = fitCall({ block, tool, args: read.args, notes }, host);
  // With hooks the rules are asked after them, about the arguments that then count.
  if ("answered" in checked || (host.interceptors?.beforeTool.length ?? 0) > 0) return checked;
  const refused = host.permissions.refusal(name, checked.run.args);
  return refused === undefined ? checked : { answered: answerRefused(checked.run, refuse(name, refused)) };
}

/** Validates the arguments of a call, and takes its time out of them. Throws for a time that is none. */
export function fitCall(
  { block, tool, args, notes }: Pick<RunnableCall, "block" | "tool" | "args" | "notes">,
  host: ToolHost,
): CheckedCall {
  const valid = host.env.toolValidate(tool.name, args);
  if (!valid.ok)
    return { answered: answerCall(block, errorAnswer(invalidArguments(tool.name, valid.problems))) };
  const policy = { ...host.policy, timeout: host.timeoutMs ?? host.policy.timeout };
  const limited = resolveCallTimeout(tool, valid.args, policy);
  const readOnly = tool.safe && (tool.readOnly?.(limited.args) ?? true);
  return {
    run: { block, tool, asked: valid.args, notes: [...notes, ...valid.notes], readOnly, ...limited },
  };
}

/** May it overlap others? Not while a hook may still give it arguments with which it changes something. */
export function isPooled({ tool, readOnly }: RunnableCall, host: ToolHost): boolean {
  const settled = tool.readOnly === undefined || (host.interceptors?.beforeTool.length ?? 0) === 0;
  return readOnly && settled;
}

/** Does it need the sandbox? Without network so does all that is not the host's own. */
export function isIsolated({ tool, readOnly }: RunnableCall, { can }: Pick<ToolHost, "can">): boolean {
  return !readOnly || tool.sandbox || (!tool.hostRoot && !can.network);
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
  const subject = {
    name,
    interactive: tool.interactive,
    refusal: standingRefusal(call, host),
    safe: readOnly,
  };
  const known = (): Permission =>
    permit(subject, {
      canWrite: host.can.write,
      readOnly: host.sandbox.refusal,
      attended: host.question !== undefined,
    });
  const permission = known();
  if (!permission.allowed) return permission;
  const noSandbox = isIsolated(call, host) ? await host.sandbox.findRefusal() : undefined;
  if (noSandbox !== undefined) return refuse(name, noSandbox);
  const refused = await host.permissions.ask(name, args, host.signal);
  if (refused !== undefined) return refuse(name, refused);
  // Whoever was asked may have taken his time.
  return known();
}

function standingRefusal(call: RunnableCall, host: ToolHost): string | undefined {
  const { refusal, file } = call.tool;
  if (refusal !== undefined || !isIsolated(call, host) || file !== undefined) return refusal;
  return "it is a function of the host's own program, and only a tool that is a module file can run in a sandbox";
}

export function answerRefused(
  { block, args }: RunnableCall,
  { message, refused }: Extract<Permission, { allowed: false }>,
): AnsweredCall {
  return answerCall(block, errorAnswer(message), { args, refused });
}
