import { Agent, AgentEnv, type RunResult } from "@ashlar/agent";
import { Env } from "@ashlar/env";

export async function check(): Promise<void> {
  const plain = await Env.open("/project");
  // @ts-expect-error a plain Env has no agents(): its class was not widened by the agent layer
  plain.agents();
  // @ts-expect-error nor the events of agents
  Env.EVENT.AGENT_ADDED;
  // @ts-expect-error and an agent needs the wider one
  new Agent({ env: plain });

  const env = await AgentEnv.open("/project");
  const agents: readonly Agent[] = env.agents();
  env.onEvent(AgentEnv.EVENT.AGENT_ADDED, ({ agent }) => agent.name);
  env.onEvent(AgentEnv.EVENT.MODELS_CHANGED, ({ revision }) => revision + 1);
  for (const { maxActive, active, available } of env.models().values()) void (maxActive + active + available);

  const agent = env.agentCreate({ model: "ollama/qwen3" });
  agent.onEvent(Agent.EVENT.TEXT_DELTA, ({ text }) => text.length);
  // @ts-expect-error a delta has no result
  agent.onEvent(Agent.EVENT.TEXT_DELTA, ({ result }) => result);
  // @ts-expect-error a run has no model of its own
  await agent.run({ model: "ollama/qwen3" });
  // @ts-expect-error an endpoint's url stands in the settings
  new Agent({ env, url: "http://127.0.0.1" });
  // @ts-expect-error the policy is settled when the agent is made
  agent.policy.retry.attempts = 5;
  const result: RunResult = await agent.run();
  const code: number = result.exitCode;
  void [agents, code];
}
