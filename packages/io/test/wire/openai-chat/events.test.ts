import { describe, expect, it } from "vitest";
import { chatWire } from "../../../src/wire/openai-chat/index.js";
import { fold, sseFrames } from "../fold.js";
import { calls, content, delta, finish } from "./frames.js";

describe("the text of an answer", () => {
  it("is joined from its deltas and ends in a stop", () => {
    const { events, message, terminal } = fold(chatWire, [content("é🙂"), content("日 ok"), finish("stop")]);
    expect(message.content).toEqual([{ type: "text", text: "é🙂日 ok" }]);
    expect(terminal).toEqual({ type: "done", doneReason: "stop" });
    expect(events.map(({ type }) => type)).toEqual([
      "text_start",
      "text_delta",
      "text_delta",
      "text_end",
      "done",
    ]);
  });

  it.each([
    { why: "reasoning_content", thought: { reasoning_content: "hm" } },
    { why: "reasoning", thought: { reasoning: "hm" } },
    { why: "both fields with the same text", thought: { reasoning_content: "hm", reasoning: "hm" } },
    {
      why: "content parts",
      thought: { content: [{ type: "thinking", thinking: [{ type: "text", text: "hm" }] }] },
    },
  ])("is kept apart from thinking in $why", ({ thought }) => {
    const { message } = fold(chatWire, [delta(thought), content("yes"), finish("stop")]);
    expect(message.content).toEqual([
      { type: "thinking", text: "hm" },
      { type: "text", text: "yes" },
    ]);
  });

  it("may come around calls, which do not mix with it", () => {
    const { message } = fold(chatWire, [
      content("first"),
      calls({ index: 0, id: "c", function: { name: "read", arguments: "{}" } }),
      content("second"),
      finish("tool_calls"),
    ]);
    expect(message.content.map(({ type }) => type)).toEqual(["text", "toolCall", "text"]);
  });

  it("is a refusal when the server says so", () => {
    const { message, terminal } = fold(chatWire, [delta({ refusal: "I cannot" }), finish("stop")]);
    expect(message.content).toEqual([{ type: "text", text: "I cannot" }]);
    expect(terminal).toMatchObject({ type: "done", doneReason: "refusal" });
  });

  it.each([
    { word: "stop", doneReason: "stop" },
    { word: "length", doneReason: "length" },
    { word: "content_filter", doneReason: "refusal" },
    { word: "tool_calls", doneReason: "stop" },
    { word: "something_new", doneReason: "other" },
  ])("that ends with $word is done as $doneReason", ({ word, doneReason }) => {
    expect(fold(chatWire, [content("hi"), finish(word)]).terminal).toMatchObject({
      type: "done",
      doneReason,
    });
  });

  it("ignores an empty list of calls and other choices", () => {
    const { message } = fold(chatWire, [
      delta({ content: "hi", tool_calls: [] }),
      { choices: [{ index: 1, delta: { content: "other" } }] },
      finish("stop"),
    ]);
    expect(message.content).toEqual([{ type: "text", text: "hi" }]);
  });
});

describe("the end of a stream", () => {
  it("takes the usage that follows the finish word, before it is done", () => {
    const usage = { prompt_tokens: 7, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 4 } };
    const { events, terminal } = fold(chatWire, [content("hi"), finish("stop"), { choices: [], usage }]);
    expect(terminal).toMatchObject({
      usage: { inputTokens: 7, outputTokens: 3, cachedInputTokens: 4, source: "provider" },
    });
    expect(events.at(-1)).toBe(terminal);
  });

  it("is no success without a finish word", () => {
    expect(fold(chatWire, [content("half")]).terminal).toBeUndefined();
  });

  it("has nothing after it, whatever the server still sends", () => {
    const { events } = fold(chatWire, [
      content("hi"),
      finish("stop"),
      null,
      content("more"),
      finish("stop"),
      null,
    ]);
    expect(events.filter(({ type }) => type === "done")).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ type: "done" });
  });
});

describe("an error frame after status 200", () => {
  it("ends the answer as an error with its text, and the half answer stays incomplete", () => {
    const { message, terminal } = fold(
      chatWire,
      sseFrames(`data: {"choices":[{"index":0,"delta":{"content":"Half an ans"}}]}

data: {"error":{"message":"upstream overloaded","code":529}}

data: [DONE]
`),
    );
    expect(terminal).toMatchObject({ type: "error", kind: "provider", status: 529 });
    expect(terminal).toMatchObject({ error: expect.stringContaining("upstream overloaded") });
    expect(message).toMatchObject({ incomplete: true, content: [{ type: "text", text: "Half an ans" }] });
  });

  it.each([
    {
      why: "a plain text",
      frame: { error: "runner stopped" },
      expected: { error: "runner stopped", kind: "provider" },
    },
    {
      why: "a choice's own error",
      frame: {
        choices: [{ index: 0, delta: {}, finish_reason: "error", error: { message: "gone", code: 502 } }],
      },
      expected: { error: "gone", kind: "provider", status: 502 },
    },
    {
      why: "an object of type error",
      frame: { object: "error", message: "bad", code: 400 },
      expected: { error: "bad", kind: "provider", status: 400 },
    },
    {
      why: "credentials",
      frame: { error: { message: "no", code: "invalid_api_key" } },
      expected: { kind: "auth" },
    },
    {
      why: "a status of 401 as text",
      frame: { error: { message: "no", code: "401" } },
      expected: { kind: "auth", status: 401 },
    },
    {
      why: "a rate limit with its wait",
      frame: { error: { message: "Please try again in 1.5s", code: "rate_limit_exceeded" } },
      expected: { kind: "provider", status: 429, retryAfterMs: 1500 },
    },
    {
      why: "an empty quota",
      frame: { error: { message: "no", type: "insufficient_quota" } },
      expected: { kind: "provider", retryable: false },
    },
    {
      why: "too long a context",
      frame: {
        error: {
          message: "the request exceeds the available context size, try increasing it",
          type: "exceed_context_size_error",
          n_ctx: 4096,
          n_prompt_tokens: 5000,
          code: 400,
        },
      },
      expected: { kind: "provider", contextOverflow: { window: 4096, needed: 5000 } },
    },
    {
      why: "no text at all",
      frame: { error: { code: 500 } },
      expected: { kind: "provider", status: 500, error: expect.stringContaining("without a text") },
    },
  ])("says $why", ({ frame, expected }) => {
    expect(fold(chatWire, [content("hi"), frame]).terminal).toMatchObject({ type: "error", ...expected });
  });

  it("is a frame that is no JSON object as well", () => {
    expect(fold(chatWire, ["hello"]).terminal).toMatchObject({
      type: "error",
      error: expect.stringContaining("hello"),
    });
  });
});
