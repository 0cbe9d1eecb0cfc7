import { Agent, AgentEnv, type RunResult } from "@ashlar/agent";
import { toolsRoot } from "@ashlar/agent/tools";
import { contentText } from "@ashlar/context";
import { Ollama } from "@ashlar/provider-ollama";

// #region read-beside
/** Lets one child a folder look at it, all of them beside each other, then lets the agent put it together. */
export async function readBeside(
  agent: Agent,
  folders: readonly string[],
  question: string,
): Promise<string> {
  const children = await Promise.all(
    folders.map((folder, index) =>
      agent.childCreate({ name: `reader-${index + 1}`, folder, can: { write: false } }),
    ),
  );
  await Promise.all(
    children.map((child) => {
      child.send(`${question} Look into ${child.folder}.`);
      return child.run();
    }),
  );
  agent.send("Put together what the readers answered.");
  const { message } = await agent.run();
  return message === undefined ? "" : contentText(message);
}
// #endregion

// #region team
/** An agent whose model may have workers made. */
export async function leadTeam(folder: string, model: string, task: string): Promise<RunResult> {
  const env = await AgentEnv.open(folder, { providers: { ollama: Ollama }, tools: [toolsRoot] });
  const agent = new Agent({ env, model, can: { spawn: true }, budget: { requests: 60, width: 4 } });
  agent.send(task);
  const result = await agent.run();
  await agent.close();
  await env.close();
  return result;
}
// #endregion
