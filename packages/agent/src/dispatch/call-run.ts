import { isAgentError } from "../agent-error.js";
import { interceptCall, interceptResult } from "../hooks/tool-hooks.js";
import { cancelledText, notesText, timeoutText, unrunText } from "../loop/call-answer.js";
import { refuse } from "../loop/permission.js";
import { errorAnswer, errorText, readToolError, readToolValue, type ToolAnswer } from "../loop/tool-value.js";
import type { OpenChange } from "../undo/undo-journal.js";
import { type AnsweredCall, answerCall } from "./answered-call.js";
import { isIsolated, type RunnableCall, refuseCall } from "./call-check.js";
import { callContext } from "./call-context.js";
import { type DeadlineResult, runWithDeadline } from "./deadline.js";
import { runIsolated } from "./isolated-call.js";
import { TIMEOUT_GRACE_MS, type ToolHost } from "./tool-host.js";

/** Runs one call that was checked, if it still may run. Never rejects: a failure is the call's answer. */
export async function runCall(checked: RunnableCall, host: ToolHost): Promise<AnsweredCall> {
  const { block } = checked;
  if (host.signal.aborted) return answerCancelled(checked);
  let call = checked;
  let open: OpenChange | undefined;
  try {
    if (host.interceptors !== undefined && host.interceptors.beforeTool.length > 0) {
      const passed = await interceptCall(checked, host.interceptors, host);
      if (host.signal.aborted) return answerCancelled(checked);
      if ("answered" in passed) return passed.answered;
      call = passed.run;
    }
    const { args, readOnly } = call;
    const refusal = await refuseCall(call, host);
    if (host.signal.aborted) return answerCancelled(call);
    if (refusal !== undefined) return refusal;
    const { callId, name } = block;
    const noted = host.started?.({ callId, name, replay: call.tool.replay, readOnly });
    if (noted !== undefined) await noted;
    host.emit({ type: "tool_execute", callId: block.callId, name: block.name, arguments: args });
    open = readOnly ? undefined : await keepBefore(call, host);
    const answer = withNotes(await invoke(call, host), call.notes);
    const changes = await settle(open, host);
    return answerCall(block, answer, { args, changed: !readOnly, changes });
  } catch (error) {
    const changes = await settle(open, host);
    const { args } = call;
    if (isAgentError(error) && error.kind === "refused" && "reason" in error.details) {
      const { message, refused } = refuse(block.name, error.details.reason);
      return answerCall(block, errorAnswer(message), { args, refused });
    }
    return answerCall(block, withNotes(readToolError(error), call.notes), { args, changes });
  }
}

function answerCancelled({ block, args }: RunnableCall): AnsweredCall {
  return answerCall(block, errorAnswer(unrunText("cancelled")), { args });
}

/** A change that cannot be recorded is made all the same, and whoever watches is told. */
async function keepBefore(
  { block, tool, args }: RunnableCall,
  host: ToolHost,
): Promise<OpenChange | undefined> {
  try {
    return await host.sandbox.journal?.open({
      callId: block.callId,
      tool: tool.name,
      folder: host.folder,
      paths: tool.writes?.(args),
    });
  } catch (error) {
    host.notice(`${tool.name} cannot be undone: ${errorText(error)}`);
    return undefined;
  }
}

async function settle(open: OpenChange | undefined, host: ToolHost): Promise<readonly string[]> {
  try {
    return (await open?.settle()) ?? [];
  } catch (error) {
    host.notice(`What was changed cannot be undone: ${errorText(error)}`);
    return [];
  }
}

/** What the tool says, or that it failed, as the hooks after the call leave it. */
async function invoke(call: RunnableCall, host: ToolHost): Promise<ToolAnswer> {
  const live = { open: true };
  let answer: ToolAnswer;
  try {
    const result = isIsolated(call, host)
      ? await runIsolated(call, host, live)
      : await runHere(call, host, live);
    if (result.type === "cancelled") return errorAnswer(cancelledText(call.tool.name));
    answer = answerOf(result, call);
  } catch (error) {
    if (isAgentError(error) && error.kind === "refused") throw error;
    answer = readToolError(error);
  } finally {
    live.open = false;
  }
  const hooked = (host.interceptors?.afterTool.length ?? 0) > 0;
  return hooked ? interceptResult(call, answer, host) : answer;
}

function runHere(
  call: RunnableCall,
  host: ToolHost,
  live: { readonly open: boolean },
): Promise<DeadlineResult<unknown>> {
  const { tool, args, timeoutMs } = call;
  const { onTimeout } = tool;
  return runWithDeadline<unknown>({
    work: async (limit) => host.env.toolCall(tool.name, args, callContext(call, host, { limit, live })),
    timeoutMs,
    signal: host.signal,
    onTimeout: onTimeout && (async (limit) => onTimeout(args, callContext(call, host, { limit, live }))),
    graceMs: TIMEOUT_GRACE_MS,
  });
}

function answerOf(
  result: Exclude<DeadlineResult<unknown>, { readonly type: "cancelled" }>,
  { tool, timeoutMs }: RunnableCall,
): ToolAnswer {
  if (result.value !== undefined || result.type === "value") return readToolValue(result.value);
  return errorAnswer(timeoutText(tool.name, timeoutMs));
}

function withNotes(answer: ToolAnswer, notes: readonly string[]): ToolAnswer {
  if (notes.length === 0) return answer;
  return { ...answer, content: [...answer.content, { type: "text", text: notesText(notes) }] };
}
