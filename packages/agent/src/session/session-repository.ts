import { isAbsolute, join } from "node:path";
import type { SessionRepository } from "@ashlar/context";
import type { Env } from "@ashlar/env";
import { AgentError } from "../agent-error.js";
import { isObject } from "../loop/json-object.js";

/** The host's own, or what the settings ask for once somebody needed it. An Env and its safe view share it. */
const repositories = new WeakMap<Env, Promise<SessionRepository>>();
const ofHost = new WeakSet<Env>();

/** Where the sessions of this Env are kept. Rejects with kind `settings` or `usage` when that is nowhere. */
export function sessionRepository(env: Env): Promise<SessionRepository> {
  const known = repositories.get(env.safe);
  if (known !== undefined) return known;
  const opened = openRepository(env);
  repositories.set(env.safe, opened);
  // A setting that was wrong may be right next time.
  opened.catch(() => repositories.delete(env.safe));
  return opened;
}

/** From now on sessions are kept there. Whoever made it closes it. */
export function useRepository(env: Env, repository: SessionRepository): void {
  if (!isObject(repository) || typeof repository.create !== "function") {
    throw new AgentError(
      "usage",
      "env.sessionsUse: expected a repository, such as createJsonlRepository() gives.",
      { argument: "repository" },
    );
  }
  repositories.set(env.safe, Promise.resolve(repository));
  ofHost.add(env.safe);
}

/** Is a new conversation kept when nobody says so? */
export function savesByDefault(env: Env): boolean {
  const settings = sessionsOf(env);
  if (settings.save === false) return false;
  return ofHost.has(env.safe) || settings.folder !== undefined || env.hasLayer("user");
}

async function openRepository(env: Env): Promise<SessionRepository> {
  const { store = "jsonl", folder, sync } = sessionsOf(env);
  if (store !== "jsonl") {
    const problem = `is ${JSON.stringify(store)}, and nobody has given such a repository to env.sessionsUse()`;
    throw wrongSetting("store", `${problem}; "jsonl" needs none`);
  }
  if (folder !== undefined && !(typeof folder === "string" && isAbsolute(folder)))
    throw wrongSetting("folder", `${JSON.stringify(folder)} is no absolute path`);
  if (folder === undefined && !env.hasLayer("user")) {
    throw new AgentError(
      "usage",
      "This Env has no files of the user, so it has no place for sessions. Give it one: env.sessionsUse(repository).",
      { argument: "session" },
    );
  }
  const { createJsonlRepository } = await import("@ashlar/session-jsonl");
  return createJsonlRepository({
    folder: folder ?? join(env.folders.data, "sessions"),
    ...((sync === "always" || sync === "never") && { sync }),
  });
}

function sessionsOf(env: Env): Readonly<Record<string, unknown>> & { readonly folder?: unknown } {
  const { sessions } = env.settings;
  return isObject(sessions) ? sessions : {};
}

function wrongSetting(name: string, problem: string): AgentError<"settings"> {
  const key = `sessions.${name}`;
  return new AgentError("settings", `${key}: ${problem}.`, { key });
}
