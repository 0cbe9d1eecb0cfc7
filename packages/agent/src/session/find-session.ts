import { SessionError, type SessionInfo, type SessionRepository } from "@ashlar/context";
import { AgentError } from "../agent-error.js";
import { readSessionSettings } from "./session-settings.js";

const LATEST = "latest";
const FIRST_LOOK = 20;

/** The session that `resume` means in this project. Rejects with kind `project` for one of another, `missing` or `ambiguous`. */
export async function findToResume(
  repository: SessionRepository,
  wanted: string,
  cwd: string,
): Promise<SessionInfo> {
  if (wanted === LATEST) return latestOf(repository, cwd);
  const info = await repository.find(wanted);
  if (info.cwd === undefined || info.cwd === cwd) return info;
  throw new AgentError(
    "project",
    `The session ${info.id} belongs to the project ${info.cwd}, and this one is ${cwd}. Open it there, or fork it into this project.`,
    { session: info.id, cwd: info.cwd, folder: cwd },
  );
}

/** The newest one that is no child's; a child's conversation is nobody's to go on with. */
async function latestOf(repository: SessionRepository, cwd: string): Promise<SessionInfo> {
  for (let limit = FIRST_LOOK; ; limit *= 8) {
    const infos = await repository.list({ cwd, limit });
    const found = infos.find(({ settings }) => readSessionSettings(settings).child !== true);
    if (found !== undefined) return found;
    if (infos.length < limit)
      throw new SessionError("missing", `there is no session of ${cwd} to go on with`, { id: LATEST });
  }
}
