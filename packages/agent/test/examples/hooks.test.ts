import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { AgentEnv } from "@ashlar/agent";
import type { Reply } from "@ashlar/testing";
import { expect, it, onTestFinished, vi } from "vitest";
import { safeTool, textOf, toolResults } from "../support/call-tools.js";
import { openLab } from "../support/fake-models.js";
import { ask, temporaryFolder } from "../support/open-agent.js";
import { calls, scripted, text } from "../support/scripted-stream.js";
import { workThrough } from "./work-through.js";

const bash = safeTool(({ command }: { command: string }) => `ran ${command} with ghp_abc123`, {
  inputSchema: { type: "object", properties: { command: { type: "string" } } },
});

it("lets a hook file of the user forbid, redact and watch", async () => {
  const [folder, home] = [await temporaryFolder(), await temporaryFolder()];
  const hooks = join(home, "config", "hooks");
  await mkdir(hooks, { recursive: true });
  await copyFile(fileURLToPath(new URL("guard.mjs", import.meta.url)), join(hooks, "guard.mjs"));
  const error = vi.spyOn(console, "error").mockReturnValue(undefined);
  onTestFinished(() => error.mockRestore());
  const environment = { ASHLAR_HOME: home };
  const env = await AgentEnv.open(folder, { collect: false, environment, tools: [{ bash }] });
  onTestFinished(() => env.close());
  const { stream } = scripted(
    calls([
      { name: "bash", args: { command: "git  push --force" } },
      { name: "bash", args: { command: "git status" } },
    ]),
    text("ok"),
  );
  const agent = env.agentCreate({ name: "dev", stream, systemPrompt: false });
  onTestFinished(() => agent.close());
  expect(await ask(agent)).toMatchObject({ kind: "success", requests: 2 });
  expect(toolResults(agent.context.items()).map(textOf)).toEqual([
    "bash was not run: people push here, after a look at the change.",
    "ran git status with (a token)",
  ]);
  await vi.waitFor(() => expect(error).toHaveBeenCalledTimes(1));
  expect(error.mock.calls[0]?.[0]).toMatch(/, dev: bash failed$/);
});

it("works through a list, and only looks", async () => {
  const script = ({ results, prompt }: { results: readonly unknown[]; prompt: string }): Reply =>
    results.length === 0
      ? { parts: [{ call: { name: "read", arguments: { path: "a.txt" } } }] }
      : { parts: [{ text: `done: ${prompt}` }] };
  const lab = await openLab({ server: { script }, settings: { model: "ollama/ok" } });
  await writeFile(join(lab.folder, "a.txt"), "one");
  const lines: string[] = [];
  const result = await workThrough(lab.env, ["first", "second"], (line) => lines.push(line));
  expect(result).toMatchObject({
    kind: "success",
    requests: 4,
    message: { content: [{ text: "done: second" }] },
  });
  await vi.waitFor(() => expect(lines).toEqual(["read is done", "read is done"]));
});
