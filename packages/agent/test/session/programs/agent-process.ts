// node agent-process.mjs JSON: an agent of a process of its own, for tests that kill it. Prints what came of its run.
import { appendFileSync } from "node:fs";
import { AgentEnv, type AgentOpenOptions, finishSignalsArm } from "@ashlar/agent";
import { contentText } from "@ashlar/context";
import { OpenAI, OpenAIChat } from "@ashlar/io";
import { Ollama } from "@ashlar/provider-ollama";

interface Task {
  readonly folder: string;
  readonly home: string;
  readonly url: string;
  readonly openAIUrl: string;
  /** Gets one line for each call that runs. */
  readonly log: string;
  /** Calls never end. */
  readonly hang?: boolean;
  readonly armed?: boolean;
  readonly prompt?: string;
  readonly open: AgentOpenOptions;
}

// The test that started this process wrote it.
const task = JSON.parse(process.argv[2] ?? "{}") as Task;
const tool = (name: string, replay: "never" | "safe") => ({
  description: name,
  safe: true,
  replay,
  inputSchema: { type: "object" },
  fn: async () => {
    appendFileSync(task.log, `${name}\n`);
    if (task.hang === true) await new Promise((resolve) => setTimeout(resolve, 600_000));
    return `${name} ran`;
  },
});

if (task.armed === true) finishSignalsArm();
const env = await AgentEnv.open(task.folder, {
  collect: false,
  environment: { ASHLAR_HOME: task.home },
  providers: { ollama: Ollama, "openai-chat": OpenAIChat, openai: OpenAI },
  tools: [{ look: tool("look", "safe"), count: tool("count", "never"), send: tool("send", "never") }],
  settings: {
    providers: {
      ollama: { provider: "ollama", url: task.url },
      chat: { provider: "openai-chat", url: task.openAIUrl },
      responses: { provider: "openai", url: task.openAIUrl },
    },
  },
});
try {
  const agent = await env.agentOpen(task.open);
  process.stdout.write(`${JSON.stringify({ session: agent.session?.id })}\n`);
  if (task.prompt !== undefined) agent.send(task.prompt);
  const result = await agent.run();
  const results = agent.context
    .messages()
    .flatMap((message) => (message.type === 4 ? [[message.name, contentText(message)]] : []));
  process.stdout.write(`${JSON.stringify({ kind: result.kind, error: result.error, results })}\n`);
  await agent.close();
} catch (error) {
  process.stdout.write(`${JSON.stringify({ failed: error })}\n`);
}
await env.close();
