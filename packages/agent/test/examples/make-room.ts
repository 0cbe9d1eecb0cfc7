import type { Agent, CompactionResult } from "@ashlar/agent";

/** Makes room in a long conversation, and says how much. */
export async function makeRoom(agent: Agent): Promise<CompactionResult> {
  const result = await agent.compact({ focus: "what was decided about the API" });
  if (result.status === "compacted") console.error(`${result.before} tokens before, ${result.after} now`);
  return result;
}
