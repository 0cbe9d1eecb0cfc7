import { fileURLToPath } from "node:url";
import { providerConformance, type Recordings } from "@ashlar/io/testing";
import { describe, expect, it } from "vitest";
import { type Step, Test } from "../src/index.js";

const call = (path: string): Step => ({ toolCall: { name: "read", arguments: { path } } });
const asked = (path: string) => ({ name: "read", arguments: { path } });

/** What the kit needs of every subject; here nothing comes over a wire, so each case gets a script that says the same. */
const nothing: Recordings = {
  text: { text: "Hello there.", frames: [] },
  unicode: { text: "é🙂日 ok", frames: [] },
  empty: { frames: [] },
  errorBefore: [],
  errorAfter200: { text: "Half an ans", frames: [], says: "out of memory" },
  usage: { inputTokens: 0, outputTokens: 0, frames: [] },
  toolCalls: { frames: [], calls: [asked("a.txt")] },
  parallelCalls: [{ frames: [], calls: [asked("a.txt"), asked("b.txt")] }],
  cutArguments: { frames: [] },
};

const cases: readonly { readonly name: string; readonly script: readonly Step[] }[] = [
  { name: "metadata", script: [{ text: "x" }] },
  { name: "dependencies", script: [{ text: "x" }] },
  { name: "text", script: [{ text: "Hello there." }] },
  { name: "empty-answer", script: [{ delay: 0 }] },
  { name: "tool-call", script: [call("a.txt")] },
  { name: "parallel-calls", script: [call("a.txt"), call("b.txt")] },
  {
    name: "cut-arguments",
    script: [{ toolCall: { name: "write", arguments: '{"path":"notes.md","content":"# Pl' } }],
  },
  { name: "error-after-200", script: [{ text: "Half an ans" }, { error: "out of memory" }] },
  { name: "secrets", script: [{ text: "x" }] },
  { name: "state-per-request", script: [{ text: "Hello there." }] },
  { name: "pure-translation", script: [{ text: "x" }] },
];

describe("the scripted model, as every provider where no wire is needed", () => {
  it.each(cases)("$name", async ({ name, script }) => {
    const found = providerConformance.find((each) => each.name === name);
    expect(found, "a case of the kit").toBeDefined();
    await found?.run({
      Provider: Test,
      model: "mine",
      settings: { script: [script] },
      folder: fileURLToPath(new URL("..", import.meta.url)),
      wire: { path: "/", framing: "ndjson", recordings: nothing },
    });
  });
});
