import { z } from "zod";
import { parts } from "../../context/schemas/response-event.js";
import type { AgentStreamEvent, ResultEvent } from "../src/loop/stream-event.js";

const { block, doneReason, events: responseEvents, message, requestErrorKind, usage } = parts;

const call = { callId: z.string(), name: z.string() };

const rule = z.enum([
  "requests",
  "tokens",
  "duration",
  "cost",
  "depth",
  "width",
  "context",
  "turn",
  "repeat",
  "cut",
]);

const compaction = {
  type: z.literal("compaction"),
  reason: z.enum(["threshold", "overflow", "manual"]),
  before: z.number(),
};
const summaryCost = { requests: z.int().min(0), usage: usage.exactOptional() };

const agentEvents = [
  z.object({ type: z.literal("tool_execute"), ...call, arguments: z.unknown() }),
  z.object({ type: z.literal("tool_data"), ...call, data: z.string() }),
  z.object({
    type: z.literal("tool_result"),
    ...call,
    content: z.array(block),
    error: z.literal(true).exactOptional(),
    refused: z.string().exactOptional(),
    changes: z.array(z.string()).exactOptional(),
    display: z.array(block).exactOptional(),
  }),
  z.object({
    type: z.literal("retry"),
    reason: z.enum(["failure", "auth", "empty"]),
    attempt: z.int().min(2),
    delayMs: z.number().min(0),
    kind: requestErrorKind,
    error: z.string(),
    status: z.int().exactOptional(),
  }),
  z.object({ type: z.literal("throttled"), until: z.number(), waitMs: z.number() }),
  z.object({
    type: z.literal("budget"),
    action: z.enum(["hint", "stop"]),
    rule,
    used: z.number(),
    limit: z.number(),
    message: z.string(),
  }),
  z.discriminatedUnion("phase", [
    z.object({ ...compaction, phase: z.literal("start") }),
    z.object({
      ...compaction,
      phase: z.literal("end"),
      after: z.number(),
      summary: z.string(),
      ...summaryCost,
    }),
    z.object({ ...compaction, phase: z.literal("failed"), error: z.string(), ...summaryCost }),
  ]),
  z.object({ type: z.literal("notice"), message: z.string() }),
] as const;

const resultEvent: z.ZodType<ResultEvent> = z.object({
  type: z.literal("result"),
  version: z.literal(1),
  status: z.enum(["completed", "failed", "cancelled"]),
  kind: z.enum([
    "success",
    "usage",
    "other",
    "auth",
    "network",
    "provider",
    "malformed",
    "budget",
    "refused",
    "cancelled",
  ]),
  exitCode: z.int(),
  requests: z.int().min(0),
  usage,
  message: message.exactOptional(),
  doneReason: doneReason.exactOptional(),
  error: z.string().exactOptional(),
  httpStatus: z.int().exactOptional(),
  throttledUntil: z.number().exactOptional(),
  stop: z.object({ rule, used: z.number(), limit: z.number() }).exactOptional(),
  stoppedBy: z.string().exactOptional(),
  session: z.string().exactOptional(),
  refused: z.array(z.object({ tool: z.string(), reason: z.string() })).exactOptional(),
});

/** One line of the headless stream. */
export const schema: z.ZodType<AgentStreamEvent> = z.union([
  z.discriminatedUnion("type", [...responseEvents, ...agentEvents]),
  resultEvent,
]);

export const contract = { version: 1, title: "A line of the headless event stream" };
