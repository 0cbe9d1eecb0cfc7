import type { AgentEmitter } from "../agent-emitter.js";
import { AGENT_EVENT } from "../agent-events.js";
import type {
  BudgetEvent,
  RetryEvent,
  ThrottledEvent,
  ToolDataEvent,
  ToolExecuteEvent,
} from "../loop/stream-event.js";

/** Gives out what the loop has to say about itself. */
export function emitLoopEvent(emitter: AgentEmitter, event: RetryEvent | ThrottledEvent | BudgetEvent): void {
  switch (event.type) {
    case "retry":
      return emitter.event(event, AGENT_EVENT.RETRY, event);
    case "throttled":
      return emitter.event(event, AGENT_EVENT.THROTTLED, { until: event.until });
    case "budget":
      return emitter.event(event, AGENT_EVENT.BUDGET, event);
  }
}

export function emitToolEvent(emitter: AgentEmitter, event: ToolExecuteEvent | ToolDataEvent): void {
  if (event.type === "tool_execute") return emitter.event(event, AGENT_EVENT.TOOL_EXECUTE, event);
  const { callId, name, data } = event;
  emitter.event(event, AGENT_EVENT.TOOL_DATA, { call: { callId, name }, chunk: data });
}
