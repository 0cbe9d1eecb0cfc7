import type { SessionInfo } from "@ashlar/context";
import { CommandError } from "../command-error.js";
import type { Sessions } from "./open-sessions.js";

export const LATEST = "latest";
const FIRST_LOOK = 20;

/**
 * The session that is meant by an id, by a prefix that only one has, or by `latest` of this project. Rejects with kind
 * `missing` or `ambiguous`, kind `usage` where the project has none.
 */
export async function findSession({ repository, cwd }: Sessions, id: string): Promise<SessionInfo> {
  if (id !== LATEST) return repository.find(id);
  for (let limit = FIRST_LOOK; ; limit *= 8) {
    const infos = await repository.list({ cwd, limit });
    const latest = infos.find((info) => !isChild(info));
    if (latest !== undefined) return latest;
    if (infos.length < limit) break;
  }
  throw new CommandError(
    "usage",
    "this project has no session yet; `ashlar sessions list --all` shows those of other projects",
    { argument: LATEST },
  );
}

/** True for the session of an agent that another one started. */
export function isChild({ settings }: SessionInfo): boolean {
  return settings?.child === true;
}
