import type { Part } from "../reply.js";
import type { Behaviour } from "./behaviour.js";
import { firstLine, pathOf, reading } from "./reading.js";
import { saying, spoken } from "./spoken.js";

const MIXED_SCRIPTS = "é🙂日 ok — שלום \u2028 👩‍👩‍👧‍👦 \u0000 e\u0301";
const BIG_CHARACTERS = 3_145_728;

/** Models that answer well, each in a way of its own. */
export const answers: readonly Behaviour[] = [
  { name: "ok", about: "Answers a short text.", reply: () => saying("Hello from the fake model.") },
  {
    name: "echo",
    about: "Answers the text of the last user message.",
    reply: ({ prompt }) => saying(prompt === "" ? "(nothing to echo)" : prompt),
  },
  {
    name: "read",
    about:
      "Calls `read` on the file named in the prompt (else README.md, package.json), then quotes its first line.",
    reply: reading,
  },
  {
    name: "thinking",
    about: "Thinks aloud, then answers.",
    facts: {
      capabilities: ["completion", "tools", "thinking"],
      thinking: { values: [true, false], default: true },
    },
    reply: () => saying({ thinking: "The user " }, { thinking: "wants an answer." }, "I thought about it."),
  },
  {
    name: "levels",
    about: "Thinks in the levels low, medium and high only, and says which one was asked for.",
    facts: {
      capabilities: ["completion", "tools", "thinking"],
      thinking: { values: ["low", "medium", "high"], default: "medium" },
    },
    reply: ({ body }) => saying({ thinking: "Hm." }, `Thought at level ${body.think ?? "medium"}.`),
  },
  {
    name: "vision",
    about: "Takes images.",
    facts: { capabilities: ["completion", "tools", "vision"] },
    reply: () => saying("I see an image."),
  },
  {
    name: "parallel",
    about: "Calls `read` on README.md and on package.json in one answer, then quotes both.",
    reply: ({ results }) => {
      if (results.length > 0) {
        return saying(
          results.map(({ text, arguments: args }) => `${pathOf(args)}: ${firstLine(text)}`).join("\n"),
        );
      }
      return saying(
        "I read both.",
        { call: { name: "read", arguments: { path: "README.md" } } },
        { call: { name: "read", arguments: { path: "package.json" } } },
      );
    },
  },
  {
    name: "loop",
    about: "Makes the same `read` call for ever, its JSON spaced in two ways by turns.",
    reply: ({ wire, attempt }) => {
      const spaced = wire !== "ollama" && attempt % 2 === 1;
      const path = { path: "README.md" };
      return saying({ call: { name: "read", arguments: spaced ? '{ "path" : "README.md" }' : path } });
    },
  },
  {
    name: "unicode",
    about: "Answers characters of one to four bytes and separators, three bytes a write.",
    reply: () => ({
      parts: [{ text: MIXED_SCRIPTS.slice(0, 6) }, { text: MIXED_SCRIPTS.slice(6) }],
      delivery: { chunkBytes: 3 },
    }),
  },
  {
    name: "bytes",
    about: "Answers one byte a write.",
    reply: () => ({ ...saying("é🙂日", " ok"), delivery: { chunkBytes: 1 } }),
  },
  {
    name: "big",
    about: "Answers 3 MiB of text in one delta.",
    reply: () => ({ parts: [{ text: "a".repeat(BIG_CHARACTERS) }], delivery: { chunkBytes: 65_536 } }),
  },
  {
    name: "many",
    about: "Answers 5,000 deltas.",
    reply: () => ({ parts: counted(5000) }),
  },
  {
    name: "slow",
    about: "Answers a word every 200 ms for four seconds.",
    reply: () => ({
      parts: spoken("one two three four five ".repeat(4)).flatMap((word): Part[] => [word, { wait: 200 }]),
    }),
  },
  {
    name: "cold",
    about: "Stays silent for three seconds, as a model that is being loaded, then answers.",
    reply: () => ({ parts: [{ wait: 3000 }, ...spoken("Now I am loaded.")] }),
  },
  {
    name: "keepalive",
    about: "Sends every known shape of keep-alive before, between and after the words of its answer.",
    reply: () => ({
      parts: [{ noise: true }, { text: "hi" }, { noise: true }, { text: " there" }, { noise: true }],
    }),
  },
  {
    name: "no-tools",
    about: "Cannot call tools: a request that offers some is answered with 400.",
    facts: { capabilities: ["completion"] },
    reply: () => saying("I only talk."),
  },
];

function* counted(count: number): Generator<Part> {
  for (let index = 0; index < count; index += 1) yield { text: `${index} ` };
}
