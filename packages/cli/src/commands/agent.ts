import { Agent, type AgentEnv, type AgentOpenOptions, streamEventSchema } from "@ashlar/agent";
import type { ContextItem } from "@ashlar/context";
import { writeEvent } from "../event-lines.js";
import { withEnv } from "../open-env.js";
import { openAgent } from "../sessions/open-agent.js";
import { wantedSession } from "../sessions/session-choice.js";
import type { Terminal } from "../terminal.js";
import { visibleText } from "../terminal-text.js";
import { promptOf } from "./prompt.js";
import { type AgentFlags, openOptionsOf } from "./request-flags.js";

/** The headless tool loop: every event of the run as a JSON line, the last one a `result` with the exit code. */
export async function agentCommand(
  terminal: Terminal,
  words: readonly string[],
  flags: AgentFlags,
): Promise<number> {
  if (flags.schema) {
    terminal.out.write(`${JSON.stringify(streamEventSchema, null, 2)}\n`);
    return 0;
  }
  // Going on from where an interrupted run stood takes no words.
  const prompt = await promptOf(terminal, words, { mayBeEmpty: flags.resume !== undefined });
  return withEnv(terminal, openOptionsOf(flags), (env) => runAgent(terminal, env, flags, prompt));
}

async function runAgent(
  terminal: Terminal,
  env: AgentEnv,
  flags: AgentFlags,
  prompt: readonly ContextItem[],
): Promise<number> {
  const wanted = await wantedSession(flags, async () => ({
    repository: await env.sessions(),
    cwd: env.cwd,
  }));
  const agent = await openAgent(terminal, env, { wanted, prompt, options: agentOptionsOf(flags) });
  agent.subscribe((event) => writeEvent(terminal.out, event));
  const say = (text: string): void => terminal.err.write(`ashlar: ${visibleText(text)}\n`);
  agent.onEvent(Agent.EVENT.LOG, say);
  if (agent.session !== undefined) say(`session ${agent.session.id}`);
  try {
    const result = await agent.run({ signal: terminal.cancelled });
    if (result.error) say(result.error);
    return result.exitCode;
  } finally {
    await agent.close();
  }
}

function agentOptionsOf(flags: AgentFlags): AgentOpenOptions {
  const { model, tools, toolTimeout, readOnly, network, workers } = flags;
  const can = {
    ...(readOnly && { write: false }),
    ...(network === false && { network }),
    ...(workers && { spawn: true }),
  };
  return {
    ...(model === undefined ? {} : { model }),
    ...(tools === undefined ? {} : { tools: tools.split(",").map((name) => name.trim()) }),
    ...(toolTimeout === undefined ? {} : { toolCall: { timeout: toolTimeout } }),
    ...(Object.keys(can).length > 0 && { can }),
  };
}
