import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { contentText } from "@ashlar/context";
import { startFakeLLM, startFakeOllama } from "@ashlar/testing";
import { expect, it, onTestFinished, vi } from "vitest";
import { talk } from "../support/long-talk.js";
import { openAgent, temporaryFolder } from "../support/open-agent.js";
import { scripted, text } from "../support/scripted-stream.js";
import { sessionLab } from "../support/session-lab.js";
import { askProject } from "./ask-project.js";
import { goOn, recall, takeBack, tryOut } from "./keep-conversations.js";
import { makeRoom } from "./make-room.js";

const READ = `
import { readFile } from "node:fs/promises";
export const toolDescription = () => ({
  read: {
    description: "Reads a file.",
    safe: true,
    inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  },
});
export const read = ({ path }, { agent }) => readFile(agent.folder + "/" + path, "utf8");
`;

it("lets a local model answer a question about a folder", async () => {
  const server = await startFakeOllama({
    models: { qwen3: {} },
    script: ({ results }) => {
      const parts =
        results.length === 0
          ? [{ call: { name: "read", arguments: { path: "README.md" } } }]
          : [{ text: results[0]?.text ?? "" }];
      return { parts };
    },
  });
  onTestFinished(() => server.close());
  const [folder, home, tools] = [await temporaryFolder(), await temporaryFolder(), await temporaryFolder()];
  vi.stubEnv("ASHLAR_HOME", home);
  vi.stubEnv("OLLAMA_HOST", server.url);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  await mkdir(join(home, "config"), { recursive: true });
  await writeFile(join(tools, "read.mjs"), READ);
  await writeFile(join(folder, "README.md"), "Basalt is its name");
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  vi.spyOn(console, "error").mockReturnValue(undefined);
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  const result = await askProject(folder, "What is this project called?", tools);
  expect(result).toMatchObject({ kind: "success", requests: 2 });
  expect(result.message && contentText(result.message)).toBe("Basalt is its name");
});

it("makes room in a long conversation", async () => {
  const { agent } = await openAgent({
    stream: scripted(text("The API stays.")).stream,
    context: talk(),
    envSettings: { context: { assumedWindow: 5_000 } },
  });
  const said = vi.spyOn(console, "error").mockReturnValue(undefined);
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  const { before, after } = await makeRoom(agent);
  expect(after).toBeLessThan(before);
  expect(said).toHaveBeenCalledWith(`${before} tokens before, ${after} now`);
});

it("keeps conversations, goes on with them, copies them and takes turns back", async () => {
  const server = await startFakeLLM({ script: ({ prompt }) => ({ parts: [{ text: `to ${prompt}` }] }) });
  onTestFinished(() => server.close());
  const lab = await sessionLab({
    settings: {
      providers: { lab: { provider: "openai-chat", url: server.openAIUrl, models: { ok: {} } } },
      model: "lab/ok",
    },
  });
  const env = await lab.project();
  expect(await goOn(env, "one")).toMatchObject({ kind: "success" });
  expect(await goOn(env, "two")).toMatchObject({ kind: "success" });
  const agent = await env.agentOpen({ session: { resume: "latest" } });
  const said = (): readonly string[] => agent.context.messages().map(contentText);
  expect(said()).toEqual(["one", "to one", "two", "to two"]);
  expect(await tryOut(agent, "three")).not.toBe(agent.session?.id);
  const undo = await takeBack(agent);
  expect(said()).toEqual(["one", "to one"]);
  expect([undo(), said().length]).toEqual([true, 4]);
  expect(await recall(env, "TO two")).toContainEqual(`${agent.session?.id}: to two`);
  expect((await (await env.sessions()).list()).map(({ name }) => name)).toEqual(["Roof", "Roof"]);
});
