import { Agent, type AgentEnv, type RunResult } from "@ashlar/agent";

// #region go-on
/** Goes on with this project's newest conversation, or begins one. */
export async function goOn(env: AgentEnv, prompt: string): Promise<RunResult> {
  const known = await (await env.sessions()).latest({ cwd: env.cwd });
  const agent = await env.agentOpen({
    session: known === undefined ? { name: "Roof" } : { resume: "latest" },
  });
  agent.send(prompt);
  const result = await agent.run();
  await agent.close();
  return result;
}
// #endregion

// #region branch
/** Tries something on a copy; the session itself stays as it is. */
export async function tryOut(agent: Agent, prompt: string): Promise<string | undefined> {
  const copy = await Agent.fork(agent);
  copy.send(prompt);
  await copy.run();
  const id = copy.session?.id;
  await copy.close();
  return id;
}
// #endregion

// #region search
/** Where this project's sessions hold all of these words, best first; aborting the signal ends the search. */
export async function recall(env: AgentEnv, words: string, signal?: AbortSignal): Promise<readonly string[]> {
  const found: string[] = [];
  const options = { cwd: env.cwd, limit: 10, ...(signal !== undefined && { signal }) };
  for await (const { session, snippet } of (await env.sessions()).search(words, options))
    found.push(`${session}: ${snippet}`);
  return found;
}
// #endregion

// #region edit
/** Takes the last turn back, and knows how to undo that; `flush` commits. */
export async function takeBack({ context }: Agent): Promise<() => boolean> {
  const last = context.messages().findLast(({ type }) => type === 2);
  if (last !== undefined) context.rollback(context.items().indexOf(last));
  await context.flush();
  return () => context.undo();
}
// #endregion
