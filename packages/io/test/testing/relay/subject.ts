import type { ProviderClass } from "@ashlar/context/provider";
import type { ProviderSubject } from "../../../src/testing/index.js";

/** Recordings of the made-up wire, for the right provider and for the broken ones. */
export function relaySubject(
  Provider: ProviderClass,
  changes: Partial<ProviderSubject> = {},
): ProviderSubject {
  const a = { name: "read", arguments: { path: "a.txt" } };
  const b = { name: "read", arguments: { path: "b.txt" } };
  const end = { end: "stop" };
  return {
    Provider,
    wire: {
      path: "/chat",
      framing: "ndjson",
      recordings: {
        text: { text: "Hello there.", frames: [{ say: "Hello" }, { say: " there." }, end] },
        unicode: { text: "é🙂日 ok", frames: [{ say: "é🙂" }, { say: "日 ok" }, end] },
        empty: { frames: [end] },
        errorBefore: [
          {
            status: 404,
            body: { error: "no model of that name" },
            kind: "provider",
            says: "no model of that name",
          },
        ],
        errorAfter200: {
          text: "Half an ans",
          frames: [{ say: "Half an ans" }, { error: "out of memory" }],
          says: "out of memory",
        },
        usage: {
          frames: [{ say: "hi" }, { end: "stop", in: 7, out: 3, cached: 5 }],
          inputTokens: 7,
          outputTokens: 3,
          cachedInputTokens: 5,
        },
        toolCalls: {
          calls: [a],
          frames: [
            { call: { id: "x", name: "read", input: '{"path":' } },
            { call: { id: "x", input: '"a.txt"}' } },
            end,
          ],
        },
        parallelCalls: [
          {
            why: "interleaved",
            calls: [a, b],
            frames: [
              { call: { id: "x", at: 0, name: "read", input: '{"path":' } },
              { call: { id: "y", at: 0, name: "read", input: '{"path":"b.txt"' } },
              { call: { id: "x", at: 0, input: '"a.txt"}' } },
              { call: { id: "y", at: 0, input: "}" } },
              end,
            ],
          },
        ],
        cutArguments: {
          frames: [{ call: { id: "x", name: "write", input: '{"path":"notes.md","content":"1. fi' } }, end],
        },
        thinking: { thinking: "hm", text: "yes", frames: [{ think: "hm" }, { say: "yes" }, end] },
        executedCalls: {
          calls: [{ name: "search", arguments: { q: "stone" }, result: "found" }],
          frames: [
            { running: { id: "s", name: "search", input: { q: "stone" } } },
            { ran: { id: "s", output: "found" } },
            { say: "yes" },
            end,
          ],
        },
        models: { route: "GET /models", answer: { names: ["m1", "m2"] }, ids: ["m1", "m2"] },
      },
    },
    ...changes,
  };
}
