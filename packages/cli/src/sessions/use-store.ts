import { isAbsolute, join } from "node:path";
import type { AgentEnv } from "@ashlar/agent";
import { isObject } from "@ashlar/context";
import { CommandError } from "../command-error.js";

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
  const repository = createSqliteRepository({ folder });
  env.sessionsUse(repository);
  return repository.close;
}
