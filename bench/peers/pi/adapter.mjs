// pi's agent loop (pi-agent-core) on Chat Completions; variant `ai` is its streaming library alone.
import { Agent } from "@mariozechner/pi-agent-core";
import { stream as streamAlone } from "@mariozechner/pi-ai";

export async function setup({ baseURL, variant = "agent" }) {
  const described = (model) => ({
    id: model,
    name: model,
    api: "openai-completions",
    provider: "local",
    baseUrl: `${baseURL}/v1`,
    reasoning: false,
    input: ["text"],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: 1e6,
    maxTokens: 4096,
  });
  const toolsOf = (tools) =>
    tools.map(({ name, description, schema, run }) => ({
      name,
      label: name,
      description,
      parameters: schema,
      execute: async (_id, args) => ({ content: [{ type: "text", text: await run(args) }], details: {} }),
    }));
  const create = (model, tools, messages = []) =>
    new Agent({
      initialState: { systemPrompt: "x", model: described(model), thinkingLevel: "off", tools: toolsOf(tools), messages },
      getApiKey: () => "sk-test",
      toolExecution: "parallel",
    });

  function lastText(messages) {
    const last = messages.at(-1);
    if (last.stopReason === "error" || last.stopReason === "aborted") throw Object.assign(new Error(last.errorMessage), { name: last.stopReason });
    return last.content.filter(({ type }) => type === "text").map(({ text }) => text).join("");
  }

  async function streamLibrary({ model, prompt, onDelta, signal }) {
    const context = { systemPrompt: "x", messages: [{ role: "user", content: prompt, timestamp: 0 }], tools: [] };
    for await (const event of streamAlone(described(model), context, { apiKey: "sk", signal })) {
      if (event.type === "text_delta") onDelta(event.delta);
      else if (event.type === "error") throw Object.assign(new Error(event.error.errorMessage), { name: event.reason });
    }
  }

  async function streamAgent({ model, prompt, onDelta, signal }) {
    const agent = create(model, []);
    agent.subscribe((event) => {
      if (event.type === "message_update" && event.assistantMessageEvent.type === "text_delta") onDelta(event.assistantMessageEvent.delta);
    });
    signal?.addEventListener("abort", () => agent.abort());
    await agent.prompt(prompt);
    return { text: lastText(agent.state.messages) };
  }

  return {
    stream: variant === "ai" ? streamLibrary : streamAgent,
    async agent({ model, prompt, tools }) {
      const agent = create(model, tools);
      agent.subscribe(() => {});
      await agent.prompt(prompt);
      return { text: lastText(agent.state.messages) };
    },
    idle(messages, tools) {
      const noUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 } };
      const stored = messages.map(({ role, content }) =>
        role === "user"
          ? { role, content, timestamp: 0 }
          : { role, content: [{ type: "text", text: content }], api: "openai-completions", provider: "local", model: "m", usage: noUsage, stopReason: "stop", timestamp: 0 },
      );
      return create("m", tools, stored);
    },
  };
}
