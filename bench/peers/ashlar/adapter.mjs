// Ashlar's agent as it ships (dist), with agent events delivered. Variant: ollama (default) or openai.
import { Agent, AgentEnv } from "../../../packages/agent/dist/index.js";
import { messageAssistant, messageUser } from "../../../packages/context/dist/index.js";
import { OpenAIChat } from "../../../packages/io/dist/index.js";
import { Ollama } from "../../../packages/provider-ollama/dist/index.js";

const NO_LIMIT = 1_000_000;

export async function setup({ baseURL, variant = "ollama" }) {
  const url = variant === "ollama" ? baseURL : `${baseURL}/v1`;
  const settings = {
    providers: { local: { provider: variant === "ollama" ? "ollama" : "openai-chat", url, contextWindow: NO_LIMIT } },
    budget: { requests: NO_LIMIT, tokens: 1e12 },
    tools: { concurrency: 3 },
  };

  let folders = 0;
  /** One Env a set of tools: an Env's tools are its host's. */
  async function openEnv(tools, concurrency = 3) {
    const described = Object.fromEntries(
      tools.map(({ name, description, schema, run }) => [name, { description, inputSchema: schema, safe: true, fn: (args) => run(args) }]),
    );
    const { mkdtemp } = await import("node:fs/promises");
    const { tmpdir } = await import("node:os");
    folders += 1;
    return AgentEnv.open(await mkdtemp(`${tmpdir()}/ashlar-bench-${folders}-`), {
      layers: [],
      settings: { ...settings, tools: { concurrency } },
      providers: { ollama: Ollama, "openai-chat": OpenAIChat },
      tools: [described],
      collect: false,
    });
  }
  const bare = await openEnv([]);
  let shared;

  function failure(result) {
    return Object.assign(new Error(result.error), { name: result.status });
  }

  return {
    async stream({ model, prompt, onDelta, signal }) {
      const agent = new Agent({ env: bare, model: `local/${model}` });
      agent.subscribe((event) => {
        if (event.type === "text_delta") onDelta(event.text);
      });
      const cancel = () => agent.cancel();
      signal?.addEventListener("abort", cancel);
      agent.send(prompt);
      const result = await agent.run();
      await agent.close();
      if (result.status !== "completed") throw failure(result);
    },
    async agent({ model, prompt, tools, concurrency }) {
      const env = await openEnv(tools, concurrency);
      const agent = new Agent({ env, model: `local/${model}` });
      let text = "";
      agent.subscribe((event) => {
        if (event.type === "start") text = "";
        else if (event.type === "text_delta") text += event.text;
      });
      agent.send(prompt);
      const result = await agent.run();
      await agent.close();
      await env.close();
      if (result.status !== "completed") throw failure(result);
      return { text };
    },
    async idle(messages, tools) {
      shared ??= await openEnv(tools);
      const context = messages.map(({ role, content }) => (role === "user" ? messageUser(content) : messageAssistant(content)));
      return new Agent({ env: shared, model: "local/m", context });
    },
  };
}
