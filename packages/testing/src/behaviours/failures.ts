import type { Part } from "../reply.js";
import type { Behaviour } from "./behaviour.js";
import { saying, spoken } from "./spoken.js";

const TRUNCATED_PROMPT_TOKENS = 2050;
const CUT_CALL = { name: "write", arguments: '{"path":"notes.md","content":"# Plan\\n1. fi' };

/** Models that go wrong after the response has begun, or before it ever does. */
export const failures: readonly Behaviour[] = [
  { name: "stall", about: "Never sends a header.", reply: () => ({ silent: true }) },
  { name: "stall-after-headers", about: "Sends headers, then nothing.", reply: () => saying({ hang: true }) },
  {
    name: "stall-after-text",
    about: "Sends some text, then nothing.",
    reply: () => saying("Half an answer", { hang: true }),
  },
  {
    name: "keepalive-forever",
    about: "Sends one word, then a keep-alive every second for ever.",
    reply: () => ({ parts: heartbeat() }),
  },
  {
    name: "truncates",
    about: "Answers well, but reports 2,050 prompt tokens whatever was sent: it cut the prompt silently.",
    reply: () => saying("Fine.", { finish: { inputTokens: TRUNCATED_PROMPT_TOKENS } }),
  },
  {
    name: "empty",
    about: "Ends its answer without having said anything.",
    reply: () => saying({ finish: { outputTokens: 0 } }),
  },
  {
    name: "error-after-200",
    about: "Sends some text, then an error frame.",
    reply: () => saying("Half an answer", { fail: "runner stopped: out of memory" }),
  },
  {
    name: "cut",
    about: "Ends the body in the middle of the answer.",
    reply: () => saying("Half an answer", { cut: true }),
  },
  {
    name: "reset",
    about: "Destroys the socket in the middle of the answer.",
    reply: () => saying("Half an", { reset: true }),
  },
  {
    name: "broken-frame",
    about: "Sends a whole frame that is cut JSON, then goes on as if nothing had happened.",
    reply: ({ wire }) => ({
      parts: [
        { text: "before" },
        {
          raw:
            wire === "ollama"
              ? '{"message":{"role":"assistant","content":"los\n'
              : 'data: {"choices":[{"ind\n\n',
        },
        { text: "after" },
      ],
    }),
  },
  {
    name: "trailing-garbage",
    about: "Sends half a frame after the end of its answer.",
    reply: () => saying("Complete.", { finish: {} }, { raw: '{"oops' }, { cut: true }),
  },
  {
    name: "cut-arguments",
    about:
      "Reaches the output limit inside the arguments of a `write` call (on Ollama's wire: inside plain text).",
    reply: ({ wire }) =>
      wire === "ollama"
        ? saying("I will write no", { finish: { reason: "length" } })
        : saying({ call: CUT_CALL }, { finish: { reason: "length" } }),
  },
  {
    name: "cut-arguments-stop",
    about: "As `cut-arguments`, but claims an ordinary stop.",
    reply: ({ wire }) => (wire === "ollama" ? saying("I will write no") : saying({ call: CUT_CALL })),
  },
  {
    name: "length",
    about: "Reaches the output limit inside its text.",
    reply: () => saying("This goes on and", { finish: { reason: "length" } }),
  },
  {
    name: "unknown-tool",
    about: "Calls a tool that nobody offered, then talks about the result.",
    reply: ({ results }) =>
      results.length > 0
        ? saying("It seems that tool does not exist.")
        : saying({ call: { name: "constructor", arguments: {} } }),
  },
  {
    name: "text-call",
    about: "Writes a tool call as plain text.",
    reply: () => saying('{"name": "read", "arguments": {"path": "README.md"}}'),
  },
];

function* heartbeat(): Generator<Part> {
  yield* spoken("one");
  for (;;) {
    yield { wait: 1000 };
    yield { noise: true };
  }
}
