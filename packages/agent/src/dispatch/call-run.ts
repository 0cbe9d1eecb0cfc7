import { isAgentError } from "../agent-error.js";
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
export async function runCall(call: RunnableCall, host: ToolHost): Promise<AnsweredCall> {
  const { block, args, readOnly } = call;
  const cancelled = (): AnsweredCall => answerCall(block, errorAnswer(unrunText("cancelled")), { args });
  if (host.signal.aborted) return cancelled();
  let open: OpenChange | undefined;
  try {
    const refusal = await refuseCall(call, host);
    if (host.signal.aborted) return cancelled();
    if (refusal !== undefined) return refusal;
    host.emit({ type: "tool_execute", callId: block.callId, name: block.name, arguments: args });
    open = readOnly ? undefined : await keepBefore(call, host);
    const answer = withNotes(await invoke(call, host), call.notes);
    const changes = await settle(open, host);
    return answerCall(block, answer, { args, changed: !readOnly, changes });
  } catch (error) {
    const changes = await settle(open, host);
    if (isAgentError(error) && error.kind === "refused" && "reason" in error.details) {
      const { message, refused } = refuse(block.name, error.details.reason);
      return answerCall(block, errorAnswer(message), { args, refused });
    }
    return answerCall(block, withNotes(readToolError(error), call.notes), { args, changes });
  }
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

async function invoke(call: RunnableCall, host: ToolHost): Promise<ToolAnswer> {
  const live = { open: true };
  try {
    const result = isIsolated(call) ? await runIsolated(call, host, live) : await runHere(call, host, live);
    return answerOf(result, call);
  } finally {
    live.open = false;
  }
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

function answerOf(result: DeadlineResult<unknown>, { tool, timeoutMs }: RunnableCall): ToolAnswer {
  switch (result.type) {
    case "value":
      return readToolValue(result.value);
    case "cancelled":
      return errorAnswer(cancelledText(tool.name));
    case "timeout":
      if (result.value !== undefined) return readToolValue(result.value);
      return errorAnswer(timeoutText(tool.name, timeoutMs));
  }
}

function withNotes(answer: ToolAnswer, notes: readonly string[]): ToolAnswer {
  if (notes.length === 0) return answer;
  return { ...answer, content: [...answer.content, { type: "text", text: notesText(notes) }] };
}
