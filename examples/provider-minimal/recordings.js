import { Minimal } from "./index.js";

const end = { end: "stop" };
const call = (id, path) => ({ call: { id, name: "read", json: JSON.stringify({ path }) } });
const calls = (...paths) => paths.map((path) => ({ name: "read", arguments: { path } }));

// #region subject
export const subject = {
  Provider: Minimal,
  folder: import.meta.dirname,
  wire: {
    path: "/chat",
    framing: "ndjson",
    recordings: {
      text: { frames: [{ text: "Hello" }, { text: " there." }, end], text: "Hello there." },
      unicode: { frames: [{ text: "é🙂" }, { text: "日 ok" }, end], text: "é🙂日 ok" },
      empty: { frames: [end] },
      usage: {
        frames: [{ text: "hi" }, { ...end, tokens: { in: 7, out: 3 } }],
        inputTokens: 7,
        outputTokens: 3,
      },
      errorBefore: [
        { status: 404, body: { error: "no such model" }, kind: "provider", says: "no such model" },
      ],
      errorAfter200: {
        frames: [{ text: "Half an ans" }, { error: "out of memory" }],
        text: "Half an ans",
        says: "out of memory",
      },
      toolCalls: { frames: [call("1", "a.txt"), end], calls: calls("a.txt") },
      parallelCalls: [
        {
          why: "two ids",
          frames: [call("1", "a.txt"), call("2", "b.txt"), end],
          calls: calls("a.txt", "b.txt"),
        },
        {
          why: "one id",
          frames: [call("1", "a.txt"), call("1", "b.txt"), end],
          calls: calls("a.txt", "b.txt"),
        },
      ],
      cutArguments: {
        frames: [{ call: { id: "1", name: "write", json: '{"path":"a.t' } }, { end: "length" }],
      },
      models: { route: "GET /models", answer: { models: { m1: { contextWindow: 8192 } } }, ids: ["m1"] },
    },
  },
};
// #endregion
