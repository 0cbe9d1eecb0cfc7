import { AgentEnv } from "@ashlar/agent";
import { Test } from "@ashlar/provider-test";
import { toolsRoot } from "@ashlar/tools-std";

const env = await AgentEnv.open(".", { layers: [], providers: { test: Test }, tools: [toolsRoot] });
const agent = env.agentCreate({ model: "test/read" }); // a real one: "ollama/qwen3"
agent.subscribe((event) => {
  if (event.type === "tool_execute") console.log(event.name, event.arguments);
  if (event.type === "text_delta") process.stdout.write(event.text);
});

agent.send("What is this project called? Read README.md.");
const { status, exitCode, usage } = await agent.run();
console.log(`\n${status}: ${usage.inputTokens} tokens in, ${usage.outputTokens} out`);
await agent.close();
await env.close();
process.exitCode = exitCode;
