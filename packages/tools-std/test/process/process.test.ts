import type { BackgroundCommand, BackgroundCommands } from "@ashlar/context/tool";
import { describe, expect, it } from "vitest";
import type { ProcessInput } from "../../src/process/process-input.js";
import * as tool from "../../src/tools/process.js";
import { failureOf } from "../support/failure.js";
import { project, toolContext, writingContext } from "../support/project.js";

const running: BackgroundCommand = {
  id: "b1",
  command: "npm start\n--watch",
  running: true,
  exitCode: null,
  signal: null,
};
const failed: BackgroundCommand = {
  ...running,
  id: "b2",
  command: "x".repeat(1000),
  running: false,
  exitCode: 3,
};
const killed: BackgroundCommand = { ...running, id: "b3", command: "y", running: false, signal: "SIGTERM" };

function commands(text = ""): { readonly background: BackgroundCommands; readonly asked: unknown[] } {
  const asked: unknown[] = [];
  return {
    asked,
    background: {
      start: async () => ({ ...running, preview: "" }),
      list: async () => [running, failed, killed],
      output: async (id, from) => {
        asked.push(["output", id, from]);
        return { text, dropped: from === 0 ? 0 : 12, next: from + text.length };
      },
      stop: async (id) => {
        asked.push(["stop", id]);
        return killed;
      },
    },
  };
}

describe("process", () => {
  it("lists commands with how they stand, one a line", async () => {
    const { background } = commands();
    const lines = (await tool.process({ action: "list" }, toolContext(project(), { background }))).split(
      "\n",
    );
    expect(lines[0]).toBe("b1 running: npm start --watch");
    expect(lines[1]).toMatch(/^b2 ended with exit code 3: x{100} \[800 characters left out here\] x{100}$/);
    expect(lines[2]).toBe("b3 ended by signal SIGTERM: y");
  });

  it("shows output from a byte on, without terminal noise, and where to go on", async () => {
    const { background, asked } = commands("\u001b[32mok\u001b[0m\n");
    const context = toolContext(project(), { background });
    expect(await tool.process({ action: "output", id: "b1" }, context)).toBe(
      "ok\n[Running.]\n[Next: from 12.]",
    );
    expect(await tool.process({ action: "output", id: "b2", from: 12 }, context)).toBe(
      "ok\n[12 bytes before this are no longer kept.]\n[Ended with exit code 3.]\n[Next: from 24.]",
    );
    expect(asked).toEqual([
      ["output", "b1", 0],
      ["output", "b2", 12],
    ]);
  });

  it("says when there is none, and bounds what is too much", async () => {
    const empty = toolContext(project(), { background: commands().background });
    expect(await tool.process({ action: "output", id: "b1" }, empty)).toBe(
      "[No output yet.]\n[Running.]\n[Next: from 0.]",
    );
    const flood = toolContext(project(), { background: commands("é".repeat(200_000)).background });
    const shown = await tool.process({ action: "output", id: "b1" }, flood);
    expect(shown.length).toBeLessThan(51_000);
    expect(shown).toContain("[150000 characters in the middle are left out; ask from a later byte.]");
  });

  it("stops a command only in a call that may change something", async () => {
    const { background, asked } = commands();
    expect(
      await failureOf(tool.process({ action: "stop", id: "b3" }, toolContext(project(), { background }))),
    ).toBe("refused: process stop was not run: nothing may be changed here.");
    expect(asked).toEqual([]);
    expect(await tool.process({ action: "stop", id: "b3" }, writingContext(project(), { background }))).toBe(
      "b3 ended by signal SIGTERM: y",
    );
  });

  it.each([
    { why: "no id", input: { action: "output" }, says: "usage: output needs the id of a command" },
    {
      why: "an unknown action",
      input: { action: "kill", id: "b1" },
      says: "usage: action: wanted list, output or stop",
    },
    {
      why: "an unknown field",
      input: { action: "list", all: true },
      says: 'usage: process has no field "all"',
    },
  ])("names what does not fit: $why", async ({ input, says }) => {
    // As it comes from a model: whatever JSON holds.
    const sent: ProcessInput = JSON.parse(JSON.stringify(input));
    expect(
      await failureOf(tool.process(sent, writingContext(project(), { background: commands().background }))),
    ).toContain(says);
  });

  it("says when there is none", async () => {
    const background = { ...commands().background, list: async () => [] };
    expect(await tool.process({ action: "list" }, toolContext(project(), { background }))).toBe(
      "[No background commands.]",
    );
  });

  it("is refused where nothing could keep one going", async () => {
    for (const input of [{ action: "list" }, { action: "output", id: "b1" }] as const) {
      expect(await failureOf(tool.process(input, toolContext(project())))).toBe(
        "refused: There are no background commands here: nothing could keep one going.",
      );
    }
  });

  it("is safe, except when it stops", () => {
    const { process: described } = tool.toolDescription();
    expect(described?.safe).toBe(true);
    // The host hands in what the schema let pass.
    const readOnly = (input: ProcessInput): boolean | undefined => described?.readOnly?.(input as never);
    expect([
      readOnly({ action: "list" }),
      readOnly({ action: "output", id: "b1" }),
      readOnly({ action: "stop", id: "b1" }),
    ]).toEqual([true, true, false]);
  });
});
