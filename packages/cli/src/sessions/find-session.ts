import type { SessionInfo, SessionRepository } from "@ashlar/context";
import { CommandError } from "../command-error.js";
import type { Sessions } from "./open-sessions.js";

export const LATEST = "latest";
/** So many are looked at for one that counts; then more and more. */
const FIRST_LOOK = 20;
const GROWTH = 8;

/**
 * The session that is meant by an id, by a prefix that only one has, or by `latest` of this project. Rejects with kind
 * `missing` or `ambiguous`, kind `usage` where the project has none.
 */
export async function findSession({ repository, cwd }: Sessions, id: string): Promise<SessionInfo> {
  if (id !== LATEST) return repository.find(id);
  const [latest] = await listOwn(repository, { cwd, limit: 1 });
  if (latest !== undefined) return latest;
  throw new CommandError(
    "usage",
    "this project has no session yet; `ashlar sessions list --all` shows those of other projects",
    { argument: LATEST },
  );
}

export interface OwnSessions {
  /** Only of this project folder. */
  readonly cwd?: string;
  readonly limit: number;
}

/** The sessions that people began, newest first: those of agents that another one started are left out. */
export async function listOwn(
  repository: SessionRepository,
  { limit, ...where }: OwnSessions,
): Promise<readonly SessionInfo[]> {
  for (let looked = Math.max(limit, FIRST_LOOK); ; looked *= GROWTH) {
    const infos = await repository.list({ ...where, limit: looked });
    const own = infos.filter((info) => !isChild(info));
    if (own.length >= limit || infos.length < looked) return own.slice(0, limit);
  }
}

/** True for the session of an agent that another one started. */
export function isChild({ settings }: SessionInfo): boolean {
  return settings?.child === true;
}
