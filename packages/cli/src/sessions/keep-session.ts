import {
  isSessionError,
  type SessionInfo,
  type SessionRepository,
  type StoredSession,
} from "@ashlar/context";
import { CommandError } from "../command-error.js";
import type { ReadSession } from "../export/read-session-file.js";
import { checkNewId } from "./new-id.js";

export interface KeepOptions {
  /** Default: the session's own. */
  readonly id?: string;
  /** Under an id that nobody has. */
  readonly forceNew?: true;
  /** The project it is moved to. Default: the session's own. */
  readonly cwd?: string;
}

/**
 * Keeps a session that was read from a file. All entries are one append, so that a session that is there is there whole;
 * where that fails it is taken away again. Rejects with kind `usage` for an id that is taken.
 */
export async function keepSession(
  repository: SessionRepository,
  { session, entries }: ReadSession,
  { id, forceNew, cwd }: KeepOptions,
): Promise<SessionInfo> {
  const { id: own, ...rest } = session;
  const wanted = id ?? own;
  if (!forceNew) checkNewId("--id", wanted);
  const store = await repository
    .create({ ...rest, ...(forceNew ? {} : { id: wanted }), ...(cwd === undefined ? {} : { cwd }) })
    .catch((error: unknown) => {
      throw isSessionError(error) && error.kind === "exists" ? taken(wanted) : error;
    });
  try {
    await store.append(entries, { durable: true });
  } catch (error) {
    await discard(repository, store);
    throw error;
  }
  await store.close();
  return store.info;
}

/** What refused the entries may refuse this as well; why is told already. */
async function discard(repository: SessionRepository, store: StoredSession): Promise<void> {
  await store.close().catch(() => undefined);
  await repository.delete(store.info.id).catch(() => undefined);
}

function taken(id: string): CommandError {
  const problem = `import: there is a session ${id} already; give it another id with --id, or --force-new`;
  return new CommandError("usage", problem, { argument: "--id" });
}
