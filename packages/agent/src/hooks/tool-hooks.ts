import { frozenCopy } from "@ashlar/context";
import { answerRefused, type CheckedCall, fitCall, type RunnableCall } from "../dispatch/call-check.js";
import { pausing } from "../dispatch/call-context.js";
import type { ToolHost } from "../dispatch/tool-host.js";
import { boundText } from "../loop/bounded-text.js";
import { refuse } from "../loop/permission.js";
import { errorAnswer, readToolValue, type ToolAnswer } from "../loop/tool-value.js";
import { askHook, type HookAnswer, MAX_REASON_CHARACTERS } from "./ask-hook.js";
import { readReply } from "./hook-reply.js";
import type { BeforeToolReply } from "./interceptor.js";
import type { Hook, InterceptorChain } from "./interceptor-chain.js";

/**
 * Asks the hooks before a call, one after the other. Gives the call with the arguments that now count, or its answer: a
 * hook that blocks it or fails refuses it.
 */
export async function interceptCall(
  call: RunnableCall,
  { beforeTool }: InterceptorChain,
  host: ToolHost,
): Promise<CheckedCall> {
  let current = call;
  for (const hook of beforeTool) {
    const answer = await askBefore(hook, current, host);
    // Whoever runs the call sees that the run is over.
    if (answer.type === "cancelled") return { run: current };
    if (answer.type === "failed") return refused(current, answer.problem, host);
    const { reply } = answer;
    if (reply === undefined) continue;
    if ("block" in reply) return { answered: answerRefused(current, refuse(call.tool.name, reply.block)) };
    const next = rewrite(current, hook.name, reply.arguments, host);
    if (typeof next === "string") return refused(current, next, host);
    current = next;
  }
  return { run: current };
}

/** Asks the hooks after a call, one after the other; a hook that fails keeps the result back. */
export async function interceptResult(
  call: RunnableCall,
  answer: ToolAnswer,
  host: ToolHost,
): Promise<ToolAnswer> {
  let current = answer;
  for (const hook of host.interceptors?.afterTool ?? []) {
    const after = await askAfter(hook, call, { answer: current, host });
    if (after.type === "cancelled") {
      const why = `the run was cancelled before the hook ${JSON.stringify(hook.name)} had seen it`;
      return withheld(call, why);
    }
    if (after.type === "failed") {
      host.notice(`The result of ${call.tool.name} was withheld: ${after.problem}.`);
      return withheld(call, after.problem);
    }
    current = after.reply;
  }
  return current;
}

function askAfter(
  hook: Hook<"afterTool">,
  call: RunnableCall,
  { answer, host }: { readonly answer: ToolAnswer; readonly host: ToolHost },
): Promise<HookAnswer<ToolAnswer>> {
  const { block, args, timeoutMs } = call;
  const { agent, signal } = host;
  return askHook({
    hook,
    kind: "afterTool",
    payload: (limit) => ({
      agent,
      signal: limit.signal,
      callId: block.callId,
      name: block.name,
      // Frozen: what a hook wants other it says in its reply.
      arguments: frozenCopy(args, "arguments"),
      content: frozenCopy(answer.content, "content"),
      error: answer.error,
      display: answer.display && frozenCopy(answer.display, "display"),
    }),
    read: (reply) => changedAnswer(answer, reply),
    timeoutMs,
    signal,
  });
}

function askBefore(
  hook: Hook<"beforeTool">,
  call: RunnableCall,
  host: ToolHost,
): Promise<HookAnswer<BeforeToolReply | undefined>> {
  const { block, asked, readOnly, timeoutMs } = call;
  const { agent, question, signal } = host;
  return askHook({
    hook,
    kind: "beforeTool",
    payload: (limit) => ({
      agent,
      signal: limit.signal,
      callId: block.callId,
      name: block.name,
      arguments: frozenCopy(asked, "arguments"),
      readOnly,
      question: question === undefined ? null : pausing(question, limit),
    }),
    read: readBeforeTool,
    timeoutMs,
    signal,
  });
}

function readBeforeTool(value: unknown): BeforeToolReply | undefined {
  const reply = readReply(value, ["block", "arguments"]);
  if (reply.block !== undefined) {
    if (typeof reply.block !== "string" || reply.block.trim() === "")
      throw new TypeError("block must be a text that says why");
    return { block: boundText(reply.block.trim(), MAX_REASON_CHARACTERS) };
  }
  return reply.arguments === undefined ? undefined : { arguments: frozenCopy(reply.arguments, "arguments") };
}

/** The call with other arguments, or why they do not do. */
function rewrite(
  { block, tool, notes }: RunnableCall,
  hook: string,
  args: unknown,
  host: ToolHost,
): RunnableCall | string {
  const changed = `the hook ${JSON.stringify(hook)} changed the arguments`;
  const next = fitCall({ block, tool, args, notes: [...notes, changed] }, host);
  if ("run" in next) return next.run;
  const [problem] = next.answered.message.content;
  return `${changed}, and they do not fit. ${problem?.type === "text" ? problem.text : ""}`;
}

function refused(call: RunnableCall, problem: string, host: ToolHost): CheckedCall {
  host.notice(`${call.tool.name} was refused: ${problem}.`);
  return { answered: answerRefused(call, refuse(call.tool.name, problem)) };
}

function changedAnswer(before: ToolAnswer, value: unknown): ToolAnswer {
  const { content, error, display } = readReply(value, ["content", "error", "display"]);
  if (error !== undefined && typeof error !== "boolean") throw new TypeError("error must be true or false");
  return {
    ...before,
    ...(content !== undefined && { content: contentOf(content) }),
    ...(error !== undefined && { error }),
    ...(display !== undefined && { display: display === null ? undefined : contentOf(display) }),
  };
}

function contentOf(value: unknown): ToolAnswer["content"] {
  return readToolValue({ result: value }).content;
}

/** The call ran and what it changed stands; only its result goes nowhere. */
function withheld({ tool }: RunnableCall, why: string): ToolAnswer {
  return errorAnswer(`${tool.name} ran, but its result is withheld: ${why}.`);
}
