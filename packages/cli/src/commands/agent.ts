import { Agent, streamEventSchema } from "@ashlar/agent";
import { Context } from "@ashlar/context";
import { CommandError } from "../command-error.js";
import { writeEvent } from "../event-lines.js";
import { withEnv } from "../open-env.js";
import type { Terminal } from "../terminal.js";
import { promptOf } from "./prompt.js";
import { type AgentFlags, openOptionsOf } from "./request-flags.js";

const NO_SESSIONS =
  "sessions are not stored yet; pass the whole conversation as a JSON array on stdin instead";

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
  if (flags.session !== undefined) refuseFlag("--session", NO_SESSIONS);
  if (flags.resume !== undefined) refuseFlag("--resume", NO_SESSIONS);
  const prompt = await promptOf(terminal, words);
  return withEnv(terminal, openOptionsOf(flags), async (env) => {
    const agent = new Agent({
      env,
      ...(flags.model === undefined ? {} : { model: flags.model }),
      context: new Context({ items: prompt }),
      ...(flags.tools === undefined ? {} : { tools: flags.tools.split(",").map((name) => name.trim()) }),
      ...(flags.toolTimeout === undefined ? {} : { toolCall: { timeout: flags.toolTimeout } }),
      ...(flags.readOnly ? { can: { write: false } } : {}),
    });
    agent.subscribe((event) => writeEvent(terminal.out, event));
    agent.onEvent(Agent.EVENT.LOG, (text) => terminal.err.write(`ashlar: ${text}\n`));
    try {
      const result = await agent.run({ signal: terminal.cancelled });
      if (result.error) terminal.err.write(`ashlar: ${result.error}\n`);
      return result.exitCode;
    } finally {
      await agent.close();
    }
  });
}

function refuseFlag(flag: string, reason: string): never {
  throw new CommandError("usage", `${flag}: ${reason}`, { argument: flag });
}
