import type { QuestionBridge, ToolContext } from "@ashlar/context/tool";
import type { RunnableCall } from "./call-check.js";
import { callRecords } from "./call-records.js";
import type { WorkLimit } from "./deadline.js";
import type { ToolHost } from "./tool-host.js";

export interface CallLife {
  readonly limit: WorkLimit;
  /** Once the call is over, its late output goes nowhere. */
  readonly live: { readonly open: boolean };
}

/** What a tool sees that runs in this process, where nothing may be changed but by the host's own trusted tools, for an agent that may. */
export function callContext({ block, tool }: RunnableCall, host: ToolHost, life: CallLife): ToolContext {
  const { limit, live } = life;
  const { question, execution, sandbox } = host;
  const { callId, name } = block;
  const asking = question === undefined ? undefined : pausing(question, limit);
  const workerCall = { question: asking, signal: limit.signal, deadline: () => limit.deadline() };
  return {
    env: host.env,
    signal: limit.signal,
    get deadline() {
      return limit.deadline();
    },
    call: { callId, name },
    agent: { folder: host.folder },
    safe: true,
    ...(tool.hostRoot && tool.trusted && { canWrite: host.can.write }),
    question: asking ?? null,
    ...(execution !== undefined && { execution }),
    ...(sandbox.refusal === undefined && { background: sandbox.background }),
    ...(sandbox.journal !== undefined && { changes: sandbox.journal }),
    ...(tool.hostRoot && { workers: host.workers(workerCall) }),
    records: callRecords(host.context, tool.name, live),
    onData: liveOutput(callId, tool.name, host, life),
  };
}

export function liveOutput(
  callId: string,
  name: string,
  host: ToolHost,
  { live }: CallLife,
): (chunk: string) => void {
  return (chunk) => {
    if (live.open) host.emit({ type: "tool_data", callId, name, data: String(chunk) });
  };
}

/** While a person answers, the clock of the call stands. */
export function pausing(question: QuestionBridge, limit: WorkLimit): QuestionBridge {
  return { ask: (questions) => limit.pauseFor(question.ask(questions)) };
}
