import type { AgentEmitter } from "../agent-emitter.js";
import { AGENT_EVENT } from "../agent-events.js";
import type {
  BudgetEvent,
  CompactionEvent,
  RetryEvent,
  ThrottledEvent,
  ToolDataEvent,
  ToolExecuteEvent,
} from "../loop/stream-event.js";

/** Gives out what a run has to say beside its responses and results. */
export function emitRunEvent(
  emitter: AgentEmitter,
  event: RetryEvent | ThrottledEvent | BudgetEvent | CompactionEvent | ToolExecuteEvent | ToolDataEvent,
): void {
  switch (event.type) {
    case "retry":
      emitter.event(event, AGENT_EVENT.RETRY, event);
      break;
    case "throttled":
      emitter.event(event, AGENT_EVENT.THROTTLED, { until: event.until });
      break;
    case "budget":
      emitter.event(event, AGENT_EVENT.BUDGET, event);
      break;
    case "compaction":
      if (event.phase === "start") emitter.event(event, AGENT_EVENT.COMPACTION_START, event);
      else emitter.event(event, AGENT_EVENT.COMPACTION_END, event);
      break;
    case "tool_execute":
      emitter.event(event, AGENT_EVENT.TOOL_EXECUTE, event);
      break;
    case "tool_data": {
      const { callId, name, data } = event;
      emitter.event(event, AGENT_EVENT.TOOL_DATA, { call: { callId, name }, chunk: data });
    }
  }
}
