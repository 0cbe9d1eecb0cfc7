import type { AgentEnv, RunResult } from "@ashlar/agent";

/** Lets a model read its way through a list of tasks, one after the other, and tells of each call. */
export async function workThrough(
  env: AgentEnv,
  tasks: readonly string[],
  tell: (line: string) => void,
): Promise<RunResult> {
  const agent = env.agentCreate({
    interceptors: [
      { name: "only look", beforeTool: ({ readOnly }) => (readOnly ? undefined : { block: "only look" }) },
    ],
  });
  const stop = env.observe({ TOOL_RESULT: ({ result }) => tell(`${result.name} is done`) });
  for (const task of tasks) agent.send(task, { as: "followUp" });
  const result = await agent.run();
  stop();
  await agent.close();
  return result;
}
