import {
  type AssistantMessage,
  createAssembler,
  type ErrorEvent,
  type ResponseEvent,
  validateMessage,
} from "@ashlar/context";
import { describe, expect, it } from "vitest";
import { failureOf } from "../support/failure.js";

const DONE: ResponseEvent = { type: "done", doneReason: "stop" };

function assemble(events: readonly ResponseEvent[]): AssistantMessage {
  const assembler = createAssembler();
  for (const event of events) assembler.push(event);
  return assembler.message();
}

/** The blocks that arguments text becomes, streamed as one delta and ended or not. */
function argumentsOf(
  text: string,
  events: { readonly end?: ResponseEvent; readonly terminal?: ResponseEvent } = {},
): unknown {
  const [block] = assemble([
    { type: "tool_call_start", contentIndex: 0, callId: "a", name: "read" },
    { type: "tool_call_delta", contentIndex: 0, arguments: text },
    ...(events.end === undefined ? [] : [events.end]),
    ...(events.terminal === undefined ? [] : [events.terminal]),
  ]).content;
  return block?.type === "toolCall" ? block.arguments : undefined;
}
const END: ResponseEvent = { type: "tool_call_end", contentIndex: 0 };

describe("text", () => {
  it("is joined from its deltas", () => {
    const message = assemble([
      { type: "start", version: 1 },
      { type: "text_start", contentIndex: 0 },
      { type: "text_delta", contentIndex: 0, text: "Hel" },
      { type: "text_delta", contentIndex: 0, text: "lo" },
      { type: "text_end", contentIndex: 0 },
      DONE,
    ]);
    expect(message).toEqual({ type: 3, content: [{ type: "text", text: "Hello" }] });
  });

  it("on an end event replaces the deltas", () => {
    const message = assemble([
      { type: "text_delta", contentIndex: 0, text: "Hel" },
      { type: "text_end", contentIndex: 0, text: "Hello!" },
      DONE,
    ]);
    expect(message.content).toEqual([{ type: "text", text: "Hello!" }]);
  });

  it("may lack its start and its end", () => {
    const message = assemble([{ type: "text_delta", contentIndex: 3, text: "Hi" }, DONE]);
    expect(message.content).toEqual([{ type: "text", text: "Hi" }]);
  });

  it("survives a cut inside a character", () => {
    const message = assemble([
      { type: "text_delta", contentIndex: 0, text: "a\ud83d" },
      { type: "text_delta", contentIndex: 0, text: "\ude42b" },
      DONE,
    ]);
    expect(message.content).toEqual([{ type: "text", text: "a🙂b" }]);
  });

  it("becomes well-formed where half a character never got its other half", () => {
    expect(assemble([{ type: "text_delta", contentIndex: 0, text: "a\ud83d" }, DONE]).content).toEqual([
      { type: "text", text: "a\ufffd" },
    ]);
  });

  it("that is empty leaves no block", () => {
    const message = assemble([
      { type: "text_start", contentIndex: 0 },
      { type: "text_end", contentIndex: 0 },
      { type: "thinking_start", contentIndex: 1 },
      { type: "thinking_end", contentIndex: 1 },
      DONE,
    ]);
    expect(message.content).toEqual([]);
  });
});

describe("thinking", () => {
  it("keeps the extras of its start and its end, and none that would replace the block's own fields", () => {
    const message = assemble([
      { type: "thinking_start", contentIndex: 0, extra: { id: "t1", text: "no" } },
      { type: "thinking_delta", contentIndex: 0, text: "hm" },
      { type: "thinking_end", contentIndex: 0, extra: { signature: "s", type: "text" } },
      DONE,
    ]);
    expect(message.content).toEqual([{ type: "thinking", text: "hm", id: "t1", signature: "s" }]);
  });

  it("without a text but with a signature stays", () => {
    const message = assemble([{ type: "thinking_end", contentIndex: 0, extra: { data: "redacted" } }, DONE]);
    expect(message.content).toEqual([{ type: "thinking", text: "", data: "redacted" }]);
  });

  it("takes a hostile extra as data", () => {
    const extra: Record<string, unknown> = JSON.parse('{"__proto__":{"polluted":true}}');
    const [block] = assemble([{ type: "thinking_end", contentIndex: 0, text: "x", extra }, DONE]).content;
    expect(JSON.stringify(block)).toBe('{"__proto__":{"polluted":true},"type":"thinking","text":"x"}');
    expect("polluted" in {}).toBe(false);
  });
});

describe("the arguments of a call", () => {
  it.each([
    { why: "parsed at the end event", text: '{"path":"a"}', value: { path: "a" } },
    { why: "broken JSON stays raw", text: '{"path":"a', value: '{"path":"a' },
    { why: "two objects glued together stay raw", text: '{"a":1}{"b":2}', value: '{"a":1}{"b":2}' },
    { why: "nothing is an empty object", text: "", value: {} },
    { why: "blanks are nothing", text: " \n", value: {} },
    {
      why: "a JSON string stays raw: a string always means unparsed",
      text: '"{\\"a\\":1}"',
      value: '"{\\"a\\":1}"',
    },
    { why: "other JSON values are values", text: "[1]", value: [1] },
    { why: "NUL inside a string is kept", text: '{"a":"x\\u0000y"}', value: { a: "x\0y" } },
    { why: "half an emoji becomes U+FFFD", text: '{"a":"\\ud83d"}', value: { a: "\ufffd" } },
  ])("$why", ({ text, value }) => {
    expect(argumentsOf(text, { end: END, terminal: DONE })).toEqual(value);
  });

  it("keep `__proto__` as data", () => {
    const value = argumentsOf('{"__proto__":{"polluted":1},"constructor":2}', { end: END, terminal: DONE });
    expect(JSON.stringify(value)).toBe('{"__proto__":{"polluted":1},"constructor":2}');
    expect("polluted" in {}).toBe(false);
  });

  it("that are nested without bounds stay raw", () => {
    const text = "[".repeat(100_000) + "]".repeat(100_000);
    expect(argumentsOf(text, { end: END, terminal: DONE })).toBe(text);
  });

  it.each([
    { why: "a value", end: { ...END, arguments: { path: "b" } }, value: { path: "b" } },
    { why: "text that is JSON", end: { ...END, arguments: '{"path":"c"}' }, value: { path: "c" } },
    { why: "text that is none", end: { ...END, arguments: '{"path' }, value: '{"path' },
    { why: "null", end: { ...END, arguments: null }, value: null },
  ])("on the end event replace the deltas: $why", ({ end, value }) => {
    expect(argumentsOf('{"path":"a"}', { end, terminal: DONE })).toEqual(value);
  });

  it.each([
    { why: "a regular end parses them", terminal: DONE, value: { a: 1 } },
    {
      why: "the output limit keeps them raw",
      terminal: { type: "done", doneReason: "length" },
      value: '{"a":1}',
    },
    { why: "an error keeps them raw", terminal: { type: "error", error: "reset" }, value: '{"a":1}' },
    { why: "a stream that just stopped keeps them raw", terminal: undefined, value: '{"a":1}' },
  ] as const)("without an end event: $why", ({ terminal, value }) => {
    expect(argumentsOf('{"a":1}', terminal === undefined ? {} : { terminal })).toEqual(value);
  });
});

describe("what a provider hands over", () => {
  it.each([
    { why: "arguments", event: { ...END, arguments: { at: new Date(0) } } },
    { why: "an extra", event: { ...END, extra: { f: () => 1 } } },
    {
      why: "a result",
      event: {
        type: "tool_call_result",
        contentIndex: 0,
        content: [{ type: "thinking", text: "x", m: new Map() }],
      },
    },
  ] satisfies readonly { why: string; event: ResponseEvent }[])(
    "is refused with its event when it is no JSON: $why",
    ({ event }) => {
      expect(failureOf(() => createAssembler().push(event)).kind).toBe("malformed");
    },
  );

  it("is not shared with the message", () => {
    const args = { paths: ["a"] };
    const assembler = createAssembler();
    assembler.push({ ...END, arguments: args });
    args.paths.push("b");
    expect(assembler.message().content).toMatchObject([{ arguments: { paths: ["a"] } }]);
  });
});

describe("blocks", () => {
  it("stand in the order in which their indexes first appeared, however they interleave", () => {
    const start = (contentIndex: number, callId: string) =>
      ({ type: "tool_call_start", contentIndex, callId, name: "read" }) as const;
    const delta = (contentIndex: number, text: string) =>
      ({ type: "tool_call_delta", contentIndex, arguments: text }) as const;
    const message = assemble([
      { type: "text_delta", contentIndex: 5, text: "I read " },
      start(0, "a"),
      start(1, "b"),
      delta(1, '{"path":'),
      delta(0, '{"path":'),
      { type: "text_delta", contentIndex: 5, text: "both." },
      delta(1, '"b.txt"}'),
      delta(0, '"a.txt"}'),
      DONE,
    ]);
    expect(message.content).toEqual([
      { type: "text", text: "I read both." },
      { type: "toolCall", callId: "a", name: "read", arguments: { path: "a.txt" } },
      { type: "toolCall", callId: "b", name: "read", arguments: { path: "b.txt" } },
    ]);
  });

  it("are apart when an index is used again", () => {
    const message = assemble([
      { type: "text_delta", contentIndex: 0, text: "one" },
      { type: "text_end", contentIndex: 0 },
      { type: "text_delta", contentIndex: 0, text: "two" },
      { type: "tool_call_start", contentIndex: 0, callId: "a", name: "x" },
      { type: "tool_call_start", contentIndex: 0, callId: "b", name: "x" },
      { type: "tool_call_start", contentIndex: 0, callId: "b", name: "x" },
      DONE,
    ]);
    expect(
      message.content.map((block) => ("text" in block ? block.text : "callId" in block && block.callId)),
    ).toEqual(["one", "two", "a", "b"]);
  });
});

describe("the message", () => {
  const half: ResponseEvent = { type: "text_delta", contentIndex: 0, text: "half" };
  it.each([
    {
      why: "an error with its text",
      terminal: { type: "error", error: "boom" },
      extra: { error: "boom", incomplete: true },
    },
    {
      why: "a rate limit with its wait",
      terminal: { type: "error", error: "slow", retryAfterMs: 5 },
      extra: { error: { message: "slow", retry: 5 }, incomplete: true },
    },
    {
      why: "a cancel, which is no failure",
      terminal: { type: "error", error: "cancelled", kind: "cancelled", cancelled: true },
      extra: { incomplete: true },
    },
    { why: "the output limit, which is an end", terminal: { type: "done", doneReason: "length" }, extra: {} },
  ] satisfies readonly { why: string; terminal: ErrorEvent | ResponseEvent; extra: object }[])(
    "after $why keeps what arrived",
    ({ terminal, extra }) => {
      expect(assemble([half, terminal])).toEqual({
        type: 3,
        content: [{ type: "text", text: "half" }],
        ...extra,
      });
    },
  );

  it("is a marked snapshot before the terminal event, and one frozen object after it", () => {
    const assembler = createAssembler();
    assembler.push(half);
    expect(assembler.message()).toMatchObject({ incomplete: true, content: [{ text: "half" }] });
    assembler.push({ ...half, text: " done" });
    assembler.push(DONE);
    expect(assembler.message()).toEqual({ type: 3, content: [{ type: "text", text: "half done" }] });
    expect(assembler.message()).toBe(assembler.message());
    expect(Object.isFrozen(assembler.message().content[0])).toBe(true);
  });

  it("hears nothing after the terminal event", () => {
    const message = assemble([half, DONE, half, { type: "error", error: "late" }]);
    expect(message).toEqual({ type: 3, content: [{ type: "text", text: "half" }] });
  });

  it("comes from the stream, not from a message on the terminal event", () => {
    expect(assemble([half, { type: "done", message: { type: 3, content: [] } }]).content).toHaveLength(1);
  });

  it("passes its functions around without an object", () => {
    const { push, message } = createAssembler();
    [half, DONE].forEach(push);
    expect(message().content).toHaveLength(1);
  });
});

describe("calls that the provider executed", () => {
  const executed = (contentIndex: number, callId: string): ResponseEvent => ({
    type: "tool_call_start",
    contentIndex,
    callId,
    name: "search",
    executed: true,
  });

  it("have one result each, in call order", () => {
    const assembler = createAssembler();
    for (const event of [
      executed(0, "s1"),
      executed(1, "s2"),
      { type: "tool_call_result", contentIndex: 1, content: [{ type: "text", text: "two" }], error: true },
      { type: "tool_call_result", contentIndex: 0, content: [{ type: "text", text: "one" }] },
      { type: "tool_call_start", contentIndex: 2, callId: "r", name: "read" },
      DONE,
    ] satisfies readonly ResponseEvent[]) {
      assembler.push(event);
    }
    expect(assembler.results()).toEqual([
      { type: 4, callId: "s1", name: "search", content: [{ type: "text", text: "one" }] },
      { type: 4, callId: "s2", name: "search", content: [{ type: "text", text: "two" }], error: true },
    ]);
    expect(assembler.message().content).toMatchObject([
      { executed: true },
      { executed: true },
      { callId: "r" },
    ]);
    for (const result of assembler.results()) expect(validateMessage(result)).toBe(result);
  });

  it("get an error result when none was reported", () => {
    const assembler = createAssembler();
    assembler.push(executed(0, "s1"));
    assembler.push(DONE);
    expect(assembler.results()).toMatchObject([{ callId: "s1", error: true }]);
  });

  it("are known by their result when the start did not say so", () => {
    const assembler = createAssembler();
    assembler.push({ type: "tool_call_start", contentIndex: 0, callId: "s1", name: "search" });
    assembler.push({ type: "tool_call_end", contentIndex: 0, arguments: {} });
    assembler.push({ type: "tool_call_result", contentIndex: 0, content: [] });
    expect(assembler.message().content).toMatchObject([{ callId: "s1", executed: true }]);
    expect(assembler.results()).toHaveLength(1);
  });
});
