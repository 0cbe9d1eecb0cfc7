import { fileURLToPath } from "node:url";
import { afterEach, expect, it, vi } from "vitest";
import { NotesEnv } from "./examples/notes-layer.js";
import { tempFolder } from "./temp-folder.js";

afterEach(() => vi.restoreAllMocks());

it("opens a project as the README shows", async () => {
  const said = vi.spyOn(console, "log").mockReturnValue(undefined);
  const example = fileURLToPath(new URL("../examples/open-project.mjs", import.meta.url));
  await import(example);
  expect(said.mock.calls.flat()).toEqual([
    expect.stringMatching(/: a tool call may take 120 s\.$/u),
    [{ layer: "constructor", value: "ollama/qwen3" }],
  ]);
});

it("finds skills and prompts as the README shows", async () => {
  const said = vi.spyOn(console, "log").mockReturnValue(undefined);
  await import(fileURLToPath(new URL("../examples/skills.mjs", import.meta.url)));
  expect(said.mock.calls).toEqual([[["notes: Release notes"], []], ["Be brief."]]);
});

it("adds a layer as the README shows", async () => {
  const env = await NotesEnv.open(await tempFolder(), { layers: [], settings: { maxNotes: 1 } });
  const seen: string[] = [];
  env.onEvent(NotesEnv.EVENT.NOTE_ADDED, ({ text }) => seen.push(text));
  expect(env.noteAdd("one")).toBe(1);
  expect(() => env.noteAdd("two")).toThrow(RangeError);
  expect([env.notes(), seen]).toEqual([["one"], ["one"]]);
  await env.close();
});
