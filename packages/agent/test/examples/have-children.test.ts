import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { startFakeOllama } from "@ashlar/testing";
import { expect, it, onTestFinished, vi } from "vitest";
import { openAgent, temporaryFolder } from "../support/open-agent.js";
import { scripted, text } from "../support/scripted-stream.js";
import { leadTeam, readBeside } from "./have-children.js";

it("lets children read beside each other, and their agent put it together", async () => {
  const { stream, requests } = scripted(text("It is a house."));
  const { agent } = await openAgent({ stream });
  for (const folder of ["roof", "walls"]) await mkdir(join(agent.folder, folder));
  expect(await readBeside(agent, ["roof", "walls"], "What is it?")).toBe("It is a house.");
  expect(requests).toHaveLength(3);
  const put = JSON.stringify(requests[2]?.context);
  expect(put).toContain("Worker reader-1 answered");
  expect(put).toContain("Worker reader-2 answered");
  expect(agent.children.map(({ can }) => can.write)).toEqual([false, false]);
});

it("lets a model have workers made", async () => {
  const made = { workers: [{ name: "reader" }], prompt: "What is it?" };
  const server = await startFakeOllama({
    models: { qwen3: {} },
    script: ({ prompt, results }) => {
      if (prompt === "What is it?") return { parts: [{ text: "a house" }] };
      if (results.length === 0) return { parts: [{ call: { name: "worker-create", arguments: made } }] };
      return { parts: [{ text: prompt.includes("a house") ? "It is a house." : "I wait." }] };
    },
  });
  onTestFinished(() => server.close());
  const [folder, home] = [await temporaryFolder(), await temporaryFolder()];
  vi.stubEnv("ASHLAR_HOME", home);
  vi.stubEnv("OLLAMA_HOST", server.url);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const result = await leadTeam(folder, "ollama/qwen3", "Find out what it is.");
  expect(result).toMatchObject({ kind: "success" });
  expect(JSON.stringify(result.message)).toContain("It is a house.");
});
