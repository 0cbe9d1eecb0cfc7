import { Agent, type AgentEnv, type AgentOpenOptions, streamEventSchema } from "@ashlar/agent";
import type { ContextItem } from "@ashlar/context";
import { CommandError } from "../command-error.js";
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
  const options = agentOptionsOf(flags);
  checkTools(env, flags, options.tools);
  const agent = await openAgent(terminal, env, { wanted, prompt, options });
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

/** A misspelt name would leave the tool out without a word. Throws kind `usage`. A session that goes on may have a model with other tools. */
function checkTools(
  env: AgentEnv,
  { model, resume, session }: AgentFlags,
  names: readonly string[] = [],
): void {
  if (names.length === 0) return;
  if (model === undefined && (resume !== undefined || typeof session === "string")) return;
  const { endpoint, model: id } = env.connection(model ?? "", { remember: false });
  const known = env.tools(false, `${endpoint}/${id}`);
  const odd = names.find((name) => name !== "*" && !known.has(name));
  if (odd === undefined) return;
  const problem = `--tools: there is no tool ${JSON.stringify(odd)}; there are ${[...known.keys()].join(", ")}`;
  throw new CommandError("usage", problem, { argument: "--tools" });
}

/** The names of `--tools`; none in an empty text. */
function namesOf(list: string): readonly string[] {
  return list
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
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
    ...(tools === undefined ? {} : { tools: namesOf(tools) }),
    ...(toolTimeout === undefined ? {} : { toolCall: { timeout: toolTimeout } }),
    ...(Object.keys(can).length > 0 && { can }),
  };
}
