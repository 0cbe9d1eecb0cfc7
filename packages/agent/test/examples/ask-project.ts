import { Agent, AgentEnv, type RunResult } from "@ashlar/agent";
import { Ollama } from "@ashlar/provider-ollama";

/** Lets a local model answer a question about a folder, with the tools that were given. */
export async function askProject(folder: string, question: string, tools: string): Promise<RunResult> {
  const env = await AgentEnv.open(folder, { providers: { ollama: Ollama }, tools: [tools] });
  const agent = new Agent({ env, model: "ollama/qwen3", budget: { requests: 20 } });
  agent.subscribe((event) => {
    if (event.type === "text_delta") process.stdout.write(event.text);
    if (event.type === "tool_execute") console.error(`> ${event.name}`);
  });
  agent.send(question);
  const result = await agent.run();
  await agent.close();
  await env.close();
  return result;
}
