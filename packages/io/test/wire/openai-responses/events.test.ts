import { describe, expect, it } from "vitest";
import { responsesWire } from "../../../src/wire/openai-responses/index.js";
import { fold } from "../fold.js";
import { wireContext } from "../wire-context.js";

const USAGE = { input_tokens: 70, output_tokens: 12, input_tokens_details: { cached_tokens: 64 } };

/** A thought, a text and two calls, with the events as OpenAI sends them. */
const WHOLE: readonly unknown[] = [
  { type: "response.created", response: { status: "in_progress", error: null } },
  { type: "response.in_progress", response: { status: "in_progress" } },
  added(0, { type: "reasoning", id: "rs_1", summary: [] }),
  {
    type: "response.reasoning_summary_part.added",
    output_index: 0,
    summary_index: 0,
    part: { type: "summary_text", text: "" },
  },
  { type: "response.reasoning_summary_text.delta", output_index: 0, summary_index: 0, delta: "First" },
  { type: "response.reasoning_summary_text.delta", output_index: 0, summary_index: 0, delta: " thought" },
  { type: "response.reasoning_summary_text.delta", output_index: 0, summary_index: 1, delta: "Second" },
  done(0, {
    type: "reasoning",
    id: "rs_1",
    summary: [{ type: "summary_text", text: "First thought" }],
    encrypted_content: "sealed",
  }),
  added(1, { type: "message", role: "assistant", content: [] }),
  {
    type: "response.content_part.added",
    output_index: 1,
    content_index: 0,
    part: { type: "output_text", text: "" },
  },
  { type: "response.output_text.delta", output_index: 1, content_index: 0, delta: "é🙂" },
  { type: "response.output_text.delta", output_index: 1, content_index: 0, delta: "日" },
  { type: "response.output_text.done", output_index: 1, content_index: 0, text: "é🙂日" },
  done(1, { type: "message", role: "assistant", content: [{ type: "output_text", text: "é🙂日" }] }),
  added(2, { type: "function_call", id: "fc_1", call_id: "c_a", name: "read", arguments: "" }),
  { type: "response.function_call_arguments.delta", output_index: 2, delta: '{"path":' },
  { type: "response.function_call_arguments.delta", output_index: 2, delta: '"a.txt"}' },
  { type: "response.function_call_arguments.done", output_index: 2, arguments: '{"path":"a.txt"}' },
  done(2, { type: "function_call", id: "fc_1", call_id: "c_a", name: "read", arguments: '{"path":"a.txt"}' }),
  added(3, { type: "function_call", id: "fc_2", call_id: "c_b", name: "now", arguments: "" }),
  done(3, { type: "function_call", id: "fc_2", call_id: "c_b", name: "now", arguments: "{}" }),
  { type: "response.completed", response: { status: "completed", usage: USAGE, output: [] } },
];

describe("a streamed response", () => {
  it("becomes thinking, text and calls, with what the endpoint wants back kept on the thinking", () => {
    const { message, terminal } = fold(responsesWire, WHOLE, wireContext({ endpoint: "openai" }));
    expect(message.content).toEqual([
      {
        type: "thinking",
        text: "First thought\n\nSecond",
        openaiResponses: { endpoint: "openai", id: "rs_1", encryptedContent: "sealed" },
      },
      { type: "text", text: "é🙂日" },
      { type: "toolCall", callId: "c_a", name: "read", arguments: { path: "a.txt" } },
      { type: "toolCall", callId: "c_b", name: "now", arguments: {} },
    ]);
    expect(terminal).toEqual({
      type: "done",
      doneReason: "toolCalls",
      usage: { inputTokens: 70, outputTokens: 12, cachedInputTokens: 64, source: "provider" },
    });
  });

  it("starts a thought as soon as the model thinks, so that waiting is seen as progress", () => {
    const { events } = fold(responsesWire, WHOLE.slice(0, 3));
    expect(events).toEqual([{ type: "thinking_start", contentIndex: 0 }]);
  });

  it.each([
    {
      why: "no item events at all",
      frames: WHOLE.filter((frame) => !typeOf(frame).startsWith("response.output_item")),
      calls: [{ callId: "", name: "" }],
    },
    {
      why: "items only when they are done",
      frames: WHOLE.filter((frame) => !/delta|part|\.added/.test(typeOf(frame))),
      calls: undefined,
    },
  ])("is read from servers that send $why", ({ frames, calls }) => {
    const { message } = fold(responsesWire, frames);
    const texts = message.content.filter(({ type }) => type === "text");
    expect(texts).toEqual([{ type: "text", text: "é🙂日" }]);
    const [call] = message.content.filter(({ type }) => type === "toolCall");
    expect(call).toMatchObject({ arguments: { path: "a.txt" }, ...calls?.[0] });
  });

  it("is read from the final response alone when nothing was streamed", () => {
    const output = WHOLE.filter((frame) => typeOf(frame) === "response.output_item.done").map((frame) =>
      field(frame, "item"),
    );
    const { message } = fold(responsesWire, [
      { type: "response.completed", response: { status: "completed", output } },
    ]);
    expect(message.content.map(({ type }) => type)).toEqual(["thinking", "text", "toolCall", "toolCall"]);
  });

  it("is not doubled by the final response, whose items may be numbered otherwise", () => {
    const last = {
      type: "response.completed",
      response: {
        status: "completed",
        output: [{ type: "message", content: [{ type: "output_text", text: "é🙂日" }] }],
      },
    };
    const streamed = WHOLE.slice(0, -1).filter((frame) => typeOf(frame) !== "response.output_item.done");
    const { message } = fold(responsesWire, [...streamed, last]);
    expect(message.content.filter(({ type }) => type === "text")).toHaveLength(1);
  });

  it("needs no item numbers", () => {
    const { message } = fold(responsesWire, [
      { type: "response.output_text.delta", delta: "a" },
      { type: "response.output_text.delta", delta: "b" },
      { type: "response.completed", response: {} },
    ]);
    expect(message.content).toEqual([{ type: "text", text: "ab" }]);
  });

  it("takes open reasoning text of local servers", () => {
    const { message } = fold(responsesWire, [
      added(0, { type: "reasoning", id: "rs_1" }),
      { type: "response.reasoning_text.delta", output_index: 0, content_index: 0, delta: "hm" },
      done(0, { type: "reasoning", id: "rs_1", content: [{ type: "reasoning_text", text: "hm" }] }),
      { type: "response.output_text.delta", output_index: 1, delta: "yes" },
      { type: "response.completed", response: {} },
    ]);
    expect(message.content).toEqual([
      { type: "thinking", text: "hm", openaiResponses: { endpoint: "local", id: "rs_1", open: true } },
      { type: "text", text: "yes" },
    ]);
  });
});

describe("the end of a response", () => {
  const text = { type: "response.output_text.delta", output_index: 0, content_index: 0, delta: "Half" };

  it.each([
    {
      why: "the output limit",
      response: { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
      doneReason: "length",
    },
    {
      why: "a filter",
      response: { status: "incomplete", incomplete_details: { reason: "content_filter" } },
      doneReason: "refusal",
    },
    {
      why: "something new",
      response: { status: "incomplete", incomplete_details: { reason: "tea" } },
      doneReason: "other",
    },
  ])("by $why is done as $doneReason", ({ response, doneReason }) => {
    const { message, terminal } = fold(responsesWire, [text, { type: "response.incomplete", response }]);
    expect(terminal).toMatchObject({ type: "done", doneReason });
    expect(message.content).toEqual([{ type: "text", text: "Half" }]);
  });

  it("leaves a call that the output limit cut as raw text", () => {
    const { message, terminal } = fold(responsesWire, [
      added(0, { type: "function_call", call_id: "c", name: "write", arguments: "" }),
      {
        type: "response.function_call_arguments.delta",
        output_index: 0,
        delta: '{"path":"notes.md","content":"1. fi',
      },
      {
        type: "response.incomplete",
        response: { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
      },
    ]);
    expect(terminal).toMatchObject({ type: "done", doneReason: "length" });
    expect(message.content).toMatchObject([
      { name: "write", arguments: '{"path":"notes.md","content":"1. fi' },
    ]);
  });

  it("is a refusal when the model refuses", () => {
    const { message, terminal } = fold(responsesWire, [
      { type: "response.refusal.delta", output_index: 0, content_index: 0, delta: "No." },
      { type: "response.completed", response: { status: "completed" } },
    ]);
    expect(terminal).toMatchObject({ doneReason: "refusal" });
    expect(message.content).toEqual([{ type: "text", text: "No." }]);
  });

  it.each([
    {
      why: "a failed response",
      frame: { type: "response.failed", response: { error: { code: "server_error", message: "it broke" } } },
      expected: { kind: "provider", error: "it broke" },
    },
    {
      why: "a failed response without a reason",
      frame: { type: "response.failed", response: {} },
      expected: { kind: "provider" },
    },
    {
      why: "a flat error event",
      frame: { type: "error", code: "rate_limit_exceeded", message: "Try again in 2s" },
      expected: { status: 429, retryAfterMs: 2000 },
    },
    {
      why: "a nested error event",
      frame: { type: "error", error: { type: "invalid_request_error", message: "bad", code: null } },
      expected: { error: "bad", retryable: false },
    },
    {
      why: "an error object of a gateway",
      frame: { error: { message: "overloaded", code: 529 } },
      expected: { status: 529 },
    },
    {
      why: "too long a context",
      frame: {
        type: "error",
        code: "context_length_exceeded",
        message: "Your input exceeds the context window of this model.",
      },
      expected: { contextOverflow: {} },
    },
    { why: "a frame that is no object", frame: 7, expected: { kind: "provider" } },
  ])("is an error on $why, and what arrived stays", ({ frame, expected }) => {
    const { message, terminal } = fold(responsesWire, [text, frame]);
    expect(terminal).toMatchObject({ type: "error", ...expected });
    expect(message).toMatchObject({ incomplete: true, content: [{ text: "Half" }] });
  });

  it("is no success without its terminal frame", () => {
    expect(fold(responsesWire, [text]).terminal).toBeUndefined();
  });

  it("has nothing after it", () => {
    const { events } = fold(responsesWire, [...WHOLE, text, { type: "response.failed", response: {} }]);
    expect(events.at(-1)).toMatchObject({ type: "done" });
  });
});

function added(index: number, item: object): unknown {
  return { type: "response.output_item.added", output_index: index, item };
}

function done(index: number, item: object): unknown {
  return { type: "response.output_item.done", output_index: index, item };
}

function field(frame: unknown, name: string): unknown {
  return Object.entries(Object(frame)).find(([key]) => key === name)?.[1];
}

function typeOf(frame: unknown): string {
  return String(field(frame, "type"));
}
