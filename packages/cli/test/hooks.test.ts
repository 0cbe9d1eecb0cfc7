import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ashlar, createProject, linesOf, type Project } from "./command.js";

let project: Project;
beforeEach(async () => {
  project = await createProject();
});
afterEach(() => project.remove());

const GUARD = `
export const hooks = () => ({ TOOL_RESULT: () => { throw new Error("an observer's own trouble"); } });
export const interceptors = () => ({
  beforeTool: ({ name }) => (name === "read" ? { block: "nothing is read today" } : undefined),
});
`;

it("lets a hook file of the user forbid a call, and never one of the project", async () => {
  const run = () => ashlar(["agent", "--model", "test/read"], { project, input: "What does README.md say?" });
  await mkdir(join(project.folder, "hooks"), { recursive: true });
  await writeFile(join(project.folder, "hooks", "guard.mjs"), GUARD);
  expect((await run()).code).toBe(0);
  const hooks = join(project.home, "config", "hooks");
  await mkdir(hooks, { recursive: true });
  await writeFile(join(hooks, "guard.mjs"), GUARD);
  const { code, stdout, stderr } = await run();
  const lines = linesOf(stdout);
  expect(code).toBe(7);
  expect(lines.find(({ type }) => type === "tool_result")).toMatchObject({
    refused: "nothing is read today",
    content: [{ text: "read was not run: nothing is read today." }],
  });
  expect(lines.at(-1)).toMatchObject({ type: "result", status: "completed", kind: "refused" });
  expect(stderr).toContain("an observer's own trouble");
});
