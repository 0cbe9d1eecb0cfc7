import { afterEach, beforeEach, expect, it } from "vitest";
import { ashlar, createProject, type Finished, linesOf, type Project } from "./command.js";

let project: Project;
beforeEach(async () => {
  project = await createProject();
});
afterEach(() => project.remove());

const run = (...args: readonly string[]): Promise<Finished> => ashlar(args, { project });

/** Three workers that look at one file after the other, and an agent that would wait for them. */
const workers = ["left", "middle", "right"].map((name) => ({ name, model: "test/hand" }));
const lead = [
  { toolCall: { name: "worker-create", arguments: { workers, prompt: "Look." } } },
  { text: "I wait." },
];
const hand = Array.from({ length: 20 }, (_, index) => ({
  toolCall: { name: "read", arguments: { path: "README.md", limit: index + 1 } },
}));
const scripts = [
  ...["--set", `providers.test.models.lead.script=${JSON.stringify(lead)}`],
  ...["--set", `providers.test.models.hand.script=${JSON.stringify(hand)}`],
];

it("stops an agent and its workers by one budget, and keeps their sessions below its own", async () => {
  const model = ["--model", "test/lead", "--set", "budget.requests=12"];
  const { code, stdout } = await run("agent", ...model, ...scripts, "--workers", "Look at it.");
  expect(code).toBe(6);
  expect(linesOf(stdout).at(-1)).toMatchObject({
    type: "result",
    kind: "budget",
    stop: { rule: "requests", used: 12, limit: 12 },
  });
  const tree = (await run("sessions", "tree")).stdout.trimEnd().split("\n");
  expect(tree).toHaveLength(4);
  expect(tree.map((line) => line.startsWith("  "))).toEqual([false, true, true, true]);
});

it("makes no worker that nobody allowed", async () => {
  const { code, stdout } = await run("agent", "--model", "test/lead", ...scripts, "Look at it.");
  expect(code).toBe(7);
  expect(linesOf(stdout).at(-1)).toMatchObject({ refused: [{ tool: "worker-create" }] });
  expect((await run("sessions", "tree")).stdout.trimEnd().split("\n")).toHaveLength(1);
});
