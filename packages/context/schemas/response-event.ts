import { z } from "zod";
import type { ResponseEvent } from "../src/events.js";
import type { AssistantMessage, Block, ToolResultMessage } from "../src/message.js";
import type { Usage } from "../src/usage.js";

const extra = z.record(z.string(), z.unknown()).exactOptional();
const contentIndex = z.int().min(0);

const block: z.ZodType<Block> = z
  .discriminatedUnion("type", [
    z.looseObject({ type: z.literal("text"), text: z.string() }),
    z.looseObject({ type: z.literal("image"), content: z.string(), mimetype: z.string().exactOptional() }),
    z.looseObject({
      type: z.literal("binary"),
      content: z.string(),
      mimetype: z.string().exactOptional(),
      filename: z.string().exactOptional(),
    }),
    z.looseObject({ type: z.literal("thinking"), text: z.string() }),
    z.looseObject({
      type: z.literal("toolCall"),
      callId: z.string(),
      name: z.string(),
      arguments: z.unknown(),
      executed: z.boolean().exactOptional(),
    }),
  ])
  .meta({ id: "Block" });

const message: z.ZodType<AssistantMessage> = z
  .looseObject({
    type: z.literal(3),
    content: z.array(block),
    error: z
      .union([z.string(), z.object({ message: z.string(), retry: z.number().exactOptional() })])
      .exactOptional(),
    incomplete: z.boolean().exactOptional(),
  })
  .meta({ id: "AssistantMessage" });

const result: z.ZodType<ToolResultMessage> = z
  .looseObject({
    type: z.literal(4),
    callId: z.string(),
    name: z.string().exactOptional(),
    content: z.array(block),
    error: z.boolean().exactOptional(),
    display: z.array(block).exactOptional(),
  })
  .meta({ id: "ToolResultMessage" });

const usage: z.ZodType<Usage> = z
  .object({
    inputTokens: z.number().min(0),
    outputTokens: z.number().min(0),
    cachedInputTokens: z.number().min(0).exactOptional(),
    source: z.enum(["provider", "estimate"]),
    cost: z.number().exactOptional(),
  })
  .meta({ id: "Usage" });

const doneReason = z.enum(["stop", "length", "toolCalls", "refusal", "other"]);
const requestErrorKind = z.enum(["auth", "network", "provider", "malformed", "cancelled"]);

const terminal = {
  message: message.exactOptional(),
  usage: usage.exactOptional(),
  results: z.array(result).exactOptional(),
  warnings: z.array(z.string()).exactOptional(),
};

const events = [
  z.object({ type: z.literal("start"), version: z.literal(1), model: z.string().exactOptional() }),
  z.object({ type: z.literal("text_start"), contentIndex }),
  z.object({ type: z.literal("text_delta"), contentIndex, text: z.string() }),
  z.object({ type: z.literal("text_end"), contentIndex, text: z.string().exactOptional() }),
  z.object({ type: z.literal("thinking_start"), contentIndex, extra }),
  z.object({ type: z.literal("thinking_delta"), contentIndex, text: z.string() }),
  z.object({ type: z.literal("thinking_end"), contentIndex, text: z.string().exactOptional(), extra }),
  z.object({
    type: z.literal("tool_call_start"),
    contentIndex,
    callId: z.string(),
    name: z.string(),
    executed: z.boolean().exactOptional(),
    extra,
  }),
  z.object({ type: z.literal("tool_call_delta"), contentIndex, arguments: z.string() }),
  z.object({ type: z.literal("tool_call_end"), contentIndex, arguments: z.unknown().exactOptional(), extra }),
  z.object({
    type: z.literal("tool_call_result"),
    contentIndex,
    content: z.array(block),
    error: z.boolean().exactOptional(),
  }),
  z.object({
    type: z.literal("done"),
    doneReason: doneReason.exactOptional(),
    ...terminal,
  }),
  z.object({
    type: z.literal("error"),
    error: z.string(),
    kind: requestErrorKind.exactOptional(),
    status: z.int().exactOptional(),
    retryAfterMs: z.number().exactOptional(),
    cancelled: z.literal(true).exactOptional(),
    contextOverflow: z
      .object({ window: z.number().exactOptional(), needed: z.number().exactOptional() })
      .exactOptional(),
    retryable: z.boolean().exactOptional(),
    idle: z.literal(true).exactOptional(),
    ...terminal,
  }),
] as const;

/** One event of one response, as the event stream writes it. */
export const schema: z.ZodType<ResponseEvent> = z.discriminatedUnion("type", events);

/** What the schemas of the layers above are made of. */
export const parts = { block, doneReason, events, message, requestErrorKind, usage };

export const contract = { version: 1, title: "An event of one response" };
