import type { SessionRepository } from "@ashlar/context";
import { CommandError } from "../command-error.js";
import { withEnv } from "../open-env.js";
import type { Terminal } from "../terminal.js";

/** The stored sessions, as a command sees them. */
export interface Sessions {
  readonly repository: SessionRepository;
  /** The project that the command stands in. */
  readonly cwd: string;
}

/** Runs `work` on the stored sessions. A signal ends it with kind `cancelled`, whatever failed because of it. */
export async function withSessions(
  terminal: Terminal,
  work: (sessions: Sessions) => Promise<number>,
): Promise<number> {
  return withEnv(terminal, {}, async (env) => {
    try {
      return await work({ repository: await env.sessions(), cwd: env.cwd });
    } catch (error) {
      if (terminal.cancelled.aborted) throw new CommandError("cancelled", "cancelled", {});
      throw error;
    }
  });
}

/** Yields the values until the command is cancelled. Throws kind `cancelled`. */
export async function* untilCancelled<Value>(
  values: AsyncIterable<Value> | Iterable<Value>,
  cancelled: AbortSignal,
): AsyncGenerator<Value, void, undefined> {
  for await (const value of values) {
    if (cancelled.aborted) throw new CommandError("cancelled", "cancelled", {});
    yield value;
  }
}
