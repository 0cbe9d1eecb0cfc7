import { createAssembler, messageToolResult, type ResponseEvent } from "@ashlar/context";

const block = { contentIndex: 0 } as const;
const usage = {
  inputTokens: 7,
  outputTokens: 3,
  cachedInputTokens: 2,
  source: "provider",
  cost: 0.01,
} as const;

const stream: readonly ResponseEvent[] = [
  { type: "start", version: 1, model: "local/ok" },
  { type: "thinking_start", ...block, extra: { id: "t" } },
  { type: "thinking_delta", ...block, text: "hm" },
  { type: "thinking_end", ...block, text: "hm", extra: { signature: "s" } },
  { type: "text_start", contentIndex: 1 },
  { type: "text_delta", contentIndex: 1, text: "Hi" },
  { type: "text_end", contentIndex: 1, text: "Hi" },
  { type: "tool_call_start", contentIndex: 2, callId: "", name: "read" },
  { type: "tool_call_delta", contentIndex: 2, arguments: '{"path":"a"}' },
  { type: "tool_call_end", contentIndex: 2, arguments: { path: "a" }, extra: { id: "x" } },
  { type: "tool_call_start", contentIndex: 3, callId: "s1", name: "search", executed: true, extra: {} },
  { type: "tool_call_end", contentIndex: 3 },
  { type: "tool_call_result", contentIndex: 3, content: [{ type: "text", text: "found" }], error: true },
];

const assembler = createAssembler();
for (const event of stream) assembler.push(event);
assembler.push({ type: "done" });

/** At least one of each event, with all fields and with as few as it may have. */
export const eventSamples: readonly ResponseEvent[] = [
  ...stream,
  { type: "start", version: 1 },
  { type: "text_end", contentIndex: 1 },
  { type: "thinking_start", ...block },
  { type: "thinking_end", ...block },
  {
    type: "tool_call_result",
    contentIndex: 3,
    content: [{ type: "image", content: "aGk=", mimetype: "image/png" }],
  },
  { type: "done" },
  {
    type: "done",
    doneReason: "toolCalls",
    message: assembler.message(),
    usage,
    results: assembler.results(),
    warnings: ["w"],
  },
  { type: "error", error: "boom" },
  {
    type: "error",
    error: "too long",
    kind: "provider",
    status: 400,
    retryAfterMs: 10,
    contextOverflow: { window: 8192, needed: 9000 },
    retryable: false,
    message: { type: 3, content: [], error: { message: "too long", retry: 10 }, incomplete: true },
    usage: { inputTokens: 1, outputTokens: 0, source: "estimate" },
    results: [messageToolResult({ callId: "s1", content: "x", error: true })],
  },
  { type: "error", error: "cancelled", kind: "cancelled", cancelled: true },
];
