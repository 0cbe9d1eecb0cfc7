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

/** The model that answered last in a session; a fork does not take the journal along that says so. */
export async function lastModelOf(repository: SessionRepository, id: string): Promise<string | undefined> {
  const store = await repository.open(id, { readonly: true });
  try {
    let model: string | undefined;
    for await (const entry of store.read({ kinds: ["journal"] })) {
      if (entry.kind !== "journal" || entry.event.type !== "usage") continue;
      if (entry.event.cause === "assistant") model = entry.event.model ?? model;
    }
    return model;
  } finally {
    await store.close();
  }
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
