import type { QuestionBridge, ToolContext } from "@ashlar/context/tool";
import { cancelledText, notesText, timeoutText, unrunText } from "../loop/call-answer.js";
import { errorAnswer, readToolError, readToolValue, type ToolAnswer } from "../loop/tool-value.js";
import { type AnsweredCall, answerCall } from "./answered-call.js";
import { type RunnableCall, refuseCall } from "./call-check.js";
import { type DeadlineResult, runWithDeadline, type WorkLimit } from "./deadline.js";
import { TIMEOUT_GRACE_MS, type ToolHost } from "./tool-host.js";

/** Runs one call that was checked, if it still may run. Never rejects: a failure is the call's answer. */
export async function runCall(call: RunnableCall, host: ToolHost): Promise<AnsweredCall> {
  const { block, args, tool } = call;
  if (host.signal.aborted) return answerCall(block, errorAnswer(unrunText("cancelled")), { args });
  try {
    const refusal = refuseCall(call, host);
    if (refusal !== undefined) return refusal;
    host.emit({ type: "tool_execute", callId: block.callId, name: block.name, arguments: args });
    const answer = withNotes(await invoke(call, host), call.notes);
    return answerCall(block, answer, { args, changed: !tool.safe });
  } catch (error) {
    return answerCall(block, withNotes(readToolError(error), call.notes), { args });
  }
}

async function invoke(call: RunnableCall, host: ToolHost): Promise<ToolAnswer> {
  const { tool, args, timeoutMs } = call;
  const { onTimeout } = tool;
  const live = { open: true };
  try {
    const result = await runWithDeadline<unknown>({
      work: async (limit) => host.env.toolCall(tool.name, args, contextOf(call, host, limit, live)),
      timeoutMs,
      signal: host.signal,
      onTimeout: onTimeout && (async (limit) => onTimeout(args, contextOf(call, host, limit, live))),
      graceMs: TIMEOUT_GRACE_MS,
    });
    return answerOf(result, call);
  } finally {
    live.open = false;
  }
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

/** What the tool sees. Once the call is over, its late output goes nowhere. */
function contextOf(
  { block, tool }: RunnableCall,
  host: ToolHost,
  limit: WorkLimit,
  live: { readonly open: boolean },
): ToolContext {
  const { callId, name } = block;
  const { question, execution } = host;
  return {
    env: host.env,
    signal: limit.signal,
    get deadline() {
      return limit.deadline();
    },
    call: { callId, name },
    agent: { folder: host.folder },
    safe: true,
    question: question === undefined ? null : pausing(question, limit),
    ...(execution !== undefined && { execution }),
    onData: (chunk) => {
      if (live.open) host.emit({ type: "tool_data", callId, name: tool.name, data: String(chunk) });
    },
  };
}

/** While a person answers, the clock of the call stands. */
function pausing(question: QuestionBridge, limit: WorkLimit): QuestionBridge {
  return { ask: (questions) => limit.pauseFor(question.ask(questions)) };
}

function withNotes(answer: ToolAnswer, notes: readonly string[]): ToolAnswer {
  if (notes.length === 0) return answer;
  return { ...answer, content: [...answer.content, { type: "text", text: notesText(notes) }] };
}
