import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chatWire } from "../../../src/wire/openai-chat/index.js";
import { fold, sseFrames } from "../fold.js";
import { calls, callsOf, finish } from "./frames.js";

const COLLIDING = `data: {"choices":[{"index":0,"delta":{"role":"assistant","tool_calls":[{"index":0,"id":"c_a","type":"function","function":{"name":"read","arguments":""}}]}}]}

data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\\"path\\":\\"a.txt\\"}"}}]}}]}

data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c_b","type":"function","function":{"name":"read","arguments":"{\\"path\\":"}}]}}]}

data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\\"b.txt\\"}"}}]}}]}

data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}

data: [DONE]
`;

const A = { callId: "c_a", name: "read", arguments: { path: "a.txt" } };
const B = { callId: "c_b", name: "read", arguments: { path: "b.txt" } };

describe("calls of servers that disagree about ids and indexes", () => {
  it.each([
    { why: "one index for all calls", frames: sseFrames(COLLIDING) },
    {
      why: "no index at all",
      frames: sseFrames(
        COLLIDING.replaceAll('"index":0,"id"', '"id"').replaceAll('"index":0,"function"', '"function"'),
      ),
    },
    {
      why: "indexes that are right, fragments interleaved, ids only in the first",
      frames: [
        calls({ index: 0, id: "c_a", function: { name: "read", arguments: "" } }),
        calls({ index: 1, id: "c_b", function: { name: "read", arguments: "" } }),
        calls({ index: 0, function: { arguments: '{"path":' } }),
        calls({ index: 1, function: { arguments: '{"path":"b' } }),
        calls({ index: 0, function: { arguments: '"a.txt"}' } }),
        calls({ index: 1, function: { arguments: '.txt"}' } }),
        finish("tool_calls"),
      ],
    },
    {
      why: "the id repeated in every fragment",
      frames: [
        calls({ index: 0, id: "c_a", function: { name: "read", arguments: '{"path":' } }),
        calls({ index: 0, id: "c_a", function: { name: "read", arguments: '"a.txt"}' } }),
        calls({ index: 1, id: "c_b", function: { name: "read", arguments: '{"path":"b.txt"}' } }),
        finish("tool_calls"),
      ],
    },
    {
      why: "ids and interleaved fragments without indexes",
      frames: [
        calls({ id: "c_a", function: { name: "read", arguments: '{"path":' } }),
        calls({ id: "c_b", function: { name: "read", arguments: '{"path":' } }),
        calls({ id: "c_a", function: { arguments: '"a.txt"}' } }),
        calls({ id: "c_b", function: { arguments: '"b.txt"}' } }),
        finish("stop"),
      ],
    },
    {
      why: "the name after the id and some arguments",
      frames: [
        calls({ index: 0, id: "c_a", function: { arguments: '{"path":' } }),
        calls({ index: 0, function: { name: "read", arguments: '"a.txt"}' } }),
        calls({ index: 1, id: "c_b", function: { name: "read", arguments: '{"path":"b.txt"}' } }),
        finish("tool_calls"),
      ],
    },
    {
      why: "both calls in one frame, arguments as objects",
      frames: [
        calls(
          { index: 0, id: "c_a", function: { name: "read", arguments: { path: "a.txt" } } },
          { index: 0, id: "c_b", function: { name: "read", arguments: { path: "b.txt" } } },
        ),
        finish("tool_calls"),
      ],
    },
    {
      why: "a whole message instead of deltas",
      frames: [
        {
          choices: [
            {
              message: {
                content: null,
                tool_calls: [
                  { id: "c_a", function: { name: "read", arguments: '{"path":"a.txt"}' } },
                  { id: "c_b", function: { name: "read", arguments: '{"path":"b.txt"}' } },
                ],
              },
              finish_reason: "stop",
            },
          ],
        },
      ],
    },
  ])("are two, whole and in order, from $why", ({ frames }) => {
    const { message, terminal } = fold(chatWire, frames);
    expect(callsOf(message.content)).toEqual([A, B]);
    expect(terminal).toMatchObject({ type: "done", doneReason: "toolCalls" });
  });

  it.each([
    {
      why: "no ids, one index, whole calls",
      frames: [
        calls({ index: 0, function: { name: "read", arguments: '{"path":"a.txt"}' } }),
        calls({ index: 0, function: { name: "read", arguments: '{"path":"b.txt"}' } }),
      ],
    },
    {
      why: "no ids, no indexes, arguments in pieces",
      frames: [
        calls({ function: { name: "read", arguments: "" } }),
        calls({ function: { arguments: '{"path":"a.' } }),
        calls({ function: { arguments: 'txt"}' } }),
        calls({ function: { name: "read", arguments: '{"path":' } }),
        calls({ function: { arguments: '"b.txt"}' } }),
      ],
    },
    {
      why: "empty ids and right indexes",
      frames: [
        calls({ index: 0, id: "", function: { name: "read", arguments: '{"path":"a.txt"}' } }),
        calls({ index: 1, id: "", function: { name: "read", arguments: '{"path":"b.txt"}' } }),
      ],
    },
    {
      why: "the name repeated in every fragment",
      frames: [
        calls({ index: 0, function: { name: "read", arguments: '{"path":"{' } }),
        calls({ index: 0, function: { name: "read", arguments: '\\"a.txt"}' } }),
        calls({ index: 0, function: { name: "read", arguments: '{"path":"b.txt"}' } }),
      ],
      first: '{"a.txt',
    },
  ])("are told apart without ids: $why", ({ frames, first }) => {
    const { message } = fold(chatWire, [...frames, finish("stop")]);
    expect(callsOf(message.content)).toEqual([
      { ...A, callId: "", arguments: { path: first === undefined ? "a.txt" : '{"a.txt' } },
      { ...B, callId: "" },
    ]);
  });

  it("keep one id that a server gives to two calls as two calls", () => {
    const { message } = fold(chatWire, [
      calls({ index: 0, id: "same", function: { name: "read", arguments: '{"path":"a.txt"}' } }),
      calls({ index: 1, id: "same", function: { name: "read", arguments: '{"path":"b.txt"}' } }),
      finish("tool_calls"),
    ]);
    expect(callsOf(message.content).map((call) => call.arguments)).toEqual([
      { path: "a.txt" },
      { path: "b.txt" },
    ]);
  });

  it("have the empty object as arguments when the server sends an empty text", () => {
    const { message } = fold(chatWire, [
      calls({ index: 0, id: "c", function: { name: "now", arguments: "" } }),
      finish("tool_calls"),
    ]);
    expect(callsOf(message.content)).toEqual([{ callId: "c", name: "now", arguments: {} }]);
  });

  it.each(["length", "tool_calls", "stop"])(
    "that were cut stay raw text whatever the finish word: %s",
    (word) => {
      const cut = '{"path":"notes.md","content":"# Plan\\n1. fi';
      const { message, terminal } = fold(chatWire, [
        calls({ index: 0, id: "c", function: { name: "write", arguments: cut.slice(0, 10) } }),
        calls({ index: 0, function: { arguments: cut.slice(10) } }),
        finish(word),
      ]);
      expect(callsOf(message.content)).toEqual([{ callId: "c", name: "write", arguments: cut }]);
      expect(terminal).toMatchObject({
        type: "done",
        doneReason: word === "length" ? "length" : "toolCalls",
      });
    },
  );

  it("come out the same however the argument texts are cut", () => {
    const texts = ['{"path":"a.txt","deep":{"list":[1,"}{"]}}', '{"path":"é🙂日\\n"}'];
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(1), fc.nat(9)), { maxLength: 40 }), (cuts) => {
        const left = [...texts];
        const frames: unknown[] = texts.map((_, index) =>
          calls({ index, id: `c${index}`, function: { name: "read", arguments: "" } }),
        );
        const send = (index: number, size: number) => {
          frames.push(calls({ index, function: { arguments: left[index]?.slice(0, size) } }));
          left[index] = left[index]?.slice(size) ?? "";
        };
        for (const [index, size] of cuts) send(index, size);
        for (const index of [0, 1]) send(index, 100);
        const { message } = fold(chatWire, [...frames, finish("stop")]);
        expect(callsOf(message.content).map((call) => call.arguments)).toEqual(
          texts.map((text): unknown => JSON.parse(text)),
        );
      }),
    );
  });
});
