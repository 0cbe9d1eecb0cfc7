// Ashlar's agent as it ships (dist), with agent events delivered. Variant: ollama (default) or openai.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, AgentEnv } from "../../../packages/agent/dist/index.js";
import { messageAssistant, messageUser } from "../../../packages/context/dist/index.js";
import { OpenAIChat } from "../../../packages/io/dist/index.js";
import { Ollama } from "../../../packages/provider-ollama/dist/index.js";

const NO_LIMIT = 1_000_000;

export async function setup({ baseURL, variant = "ollama" }) {
  const url = variant === "ollama" ? baseURL : `${baseURL}/v1`;
  const provider = variant === "ollama" ? "ollama" : "openai-chat";
  const settings = {
    providers: { local: { provider, url, contextWindow: NO_LIMIT } },
    budget: { requests: NO_LIMIT, tokens: 1e12 },
  };
  const home = mkdtempSync(join(tmpdir(), "ashlar-bench-"));
  process.on("exit", () => rmSync(home, { recursive: true, force: true }));

  /** An Env's tools are its host's, so each set of tools has one; like a project's, it is opened once for all runs. */
  const envs = new Map();
  function envOf(tools, concurrency = 3) {
    if (!envs.has(tools)) envs.set(tools, openEnv(tools, concurrency));
    return envs.get(tools);
  }
  function openEnv(tools, concurrency) {
    const described = Object.fromEntries(
      tools.map(({ name, description, schema, run }) => [
        name,
        { description, inputSchema: schema, safe: true, fn: (args) => run(args) },
      ]),
    );
    const folder = join(home, String(envs.size));
    mkdirSync(folder);
    return AgentEnv.open(folder, {
      layers: [],
      settings: { ...settings, tools: { concurrency } },
      providers: { ollama: Ollama, "openai-chat": OpenAIChat },
      tools: [described],
      collect: false,
    });
  }

  const bare = await envOf([]);
  let shared;

  async function finish(agent, prompt) {
    agent.send(prompt);
    const { status, error } = await agent.run();
    await agent.close();
    if (status !== "completed") throw Object.assign(new Error(error), { name: status });
  }

  return {
    async stream({ model, prompt, onDelta, signal }) {
      const agent = new Agent({ env: bare, model: `local/${model}` });
      agent.subscribe((event) => {
        if (event.type === "text_delta") onDelta(event.text);
      });
      signal?.addEventListener("abort", () => agent.cancel());
      await finish(agent, prompt);
    },
    async agent({ model, prompt, tools, concurrency }) {
      const agent = new Agent({ env: await envOf(tools, concurrency), model: `local/${model}` });
      let text = "";
      agent.subscribe((event) => {
        if (event.type === "start") text = "";
        else if (event.type === "text_delta") text += event.text;
      });
      await finish(agent, prompt);
      return { text };
    },
    async idle(messages, tools) {
      shared ??= await envOf(tools);
      const context = messages.map(({ role, content }) =>
        role === "user" ? messageUser(content) : messageAssistant(content),
      );
      return new Agent({ env: shared, model: "local/m", context });
    },
  };
}
