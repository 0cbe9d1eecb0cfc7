import { isAbsolute, join } from "node:path";
import type { AgentEnv } from "@ashlar/agent";
import { isObject, type SessionRepository } from "@ashlar/context";
import type { SqliteRepository } from "@ashlar/session-sqlite";
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
    const close = await useStore(env);
    try {
      return await work({ repository: await env.sessions(), cwd: env.cwd });
    } catch (error) {
      if (terminal.cancelled.aborted) throw new CommandError("cancelled", "cancelled", {});
      throw error;
    } finally {
      await close();
    }
  });
}

/** Gives the Env the store that the setting `sessions.store` names, where that is not its own. Close it at the end. */
export async function useStore(env: AgentEnv): Promise<() => Promise<void>> {
  const { sessions } = env.settings;
  const { store, folder = join(env.folders.data, "sessions") } = isObject(sessions) ? sessions : {};
  if (store !== "sqlite") return async () => undefined;
  if (typeof folder !== "string" || !isAbsolute(folder)) {
    const problem = `sessions.folder: ${JSON.stringify(folder)} is no absolute path.`;
    throw new CommandError("usage", problem, { argument: "sessions.folder" });
  }
  const { createSqliteRepository } = await import("@ashlar/session-sqlite");
  const repository: SqliteRepository = createSqliteRepository({ folder });
  env.sessionsUse(repository);
  return repository.close;
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
