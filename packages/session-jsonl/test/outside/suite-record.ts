import {
  type JournalEntry,
  type JournalEvent,
  type JsonObject,
  NO_USAGE,
  type UsageReported,
} from "@ashlar/context";
import { CARRIED, type SuiteRecord } from "./suite-shapes.js";

type Draft = Readonly<Record<string, unknown>>;

/** The event that says the same; undefined for what our journal has no word for. */
export function journalEvent(record: Draft): JournalEvent | undefined {
  // Whatever it holds is for the store to check.
  const carried = { [CARRIED]: record } as object as JsonObject;
  const operation = String(record.runId ?? record.id);
  switch (record.type) {
    case "operation_started": {
      const { kind } = Object(record.intent);
      const purpose = kind === "navigation" ? "summary" : kind;
      return { type: "operation_started", operation, purpose, ...carried };
    }
    case "operation_finished": {
      const { outcome } = record;
      return {
        type: "operation_finished",
        operation,
        outcome: outcome === "completed" ? outcome : "failed",
        ...carried,
      };
    }
    case "step_attempt":
      return { type: "step_attempt", operation, step: 1, attempt: Number(record.attempt), ...carried };
    case "tool_started":
      return {
        type: "tool_started",
        operation,
        callId: String(record.toolCallId),
        name: String(record.toolName),
        replay: record.replay === "safe" ? "safe" : "never",
        ...carried,
      };
    case "usage":
      return { type: "usage", ...usageOf(record), ...carried };
    default:
      return undefined;
  }
}

function usageOf({ cause, usage }: Draft): Pick<UsageReported, "cause" | "usage"> {
  const { input, output, cacheRead, cacheWrite, cost } = Object(usage);
  return {
    cause: cause === "adjustment" ? cause : "assistant",
    usage: {
      ...NO_USAGE,
      inputTokens: input + cacheRead + cacheWrite,
      cachedInputTokens: cacheRead,
      outputTokens: output,
      cost: cost.total,
    },
  };
}

export function suiteRecord({ event, seq, at }: JournalEntry): SuiteRecord {
  const carried = CARRIED in event ? event[CARRIED] : undefined;
  // What the suite handed in, with the place that the session gave it.
  return { ...structuredClone(Object(carried)), seq, timestamp: at } as SuiteRecord;
}
