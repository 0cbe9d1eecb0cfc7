import type { SessionChoice } from "@ashlar/agent";
import { checkSessionId, isSessionError, type SessionInfo } from "@ashlar/context";
import { CommandError } from "../command-error.js";
import { LATEST, listOwn } from "./find-session.js";
import type { Sessions } from "./open-sessions.js";

/** What `--session` may say for a conversation that is not kept. */
const NOT_KEPT: ReadonlySet<string> = new Set(["false", "0", "anon"]);
/** So many sessions of a project are looked through for a name. */
const MAX_NAMED = 1_000;

export interface SessionFlags {
  readonly session?: string | false;
  readonly resume?: string | true;
}

/** What the flags ask for: a session to go on with or to begin, none, or what is usual. */
export type WantedSession = SessionChoice | false | "usual";

/** Throws kind `usage` for flags that exclude each other. */
export async function wantedSession(
  { session, resume }: SessionFlags,
  sessions: () => Promise<Sessions>,
): Promise<WantedSession> {
  if (session !== undefined && resume !== undefined) {
    const other = session === false ? "--no-session" : "--session";
    throw new CommandError("usage", `--resume and ${other} exclude each other`, { argument: "--resume" });
  }
  if (resume !== undefined) return { resume: resume === true ? LATEST : resumable(resume) };
  if (session === undefined) return "usual";
  if (session === false || NOT_KEPT.has(session)) return false;
  if (session.trim() === "") throw refusal("--session", "it is blank; give an id or a name, or --no-session");
  if (session === LATEST) throw refusal("--session", `"${LATEST}" is no id; write --resume ${LATEST}`);
  return namedSession(await sessions(), session);
}

/** A prompt behind a flag that takes an id would be taken for one. */
function resumable(id: string): string {
  if (id.trim() === "") throw refusal("--resume", `it is blank; give an id, the start of one or ${LATEST}`);
  if (!/\s/.test(id.trim())) return id;
  throw refusal("--resume", `${JSON.stringify(id)} is no id; before a prompt write --resume ${LATEST}`);
}

function refusal(flag: string, problem: string): CommandError {
  return new CommandError("usage", `${flag}: ${problem}`, { argument: flag });
}

/** The session of this id, else the one of this project with this name, else a new one. */
async function namedSession({ repository, cwd }: Sessions, wanted: string): Promise<SessionChoice> {
  const known = await repository.find(wanted).catch(noneIfUnknown);
  if (known?.id === wanted) return { resume: wanted };
  const listed = await listOwn(repository, { cwd, limit: MAX_NAMED });
  const named = listed.filter(({ name }) => name === wanted);
  const [first] = named;
  if (named.length > 1) {
    const ids = named.map(({ id }) => id).join(", ");
    throw refusal("--session", `several sessions have this name; give an id: ${ids}`);
  }
  if (first !== undefined) return { resume: first.id };
  return isId(wanted) ? { id: wanted } : { name: wanted };
}

function noneIfUnknown(error: unknown): SessionInfo | undefined {
  if (isSessionError(error) && (error.kind === "missing" || error.kind === "ambiguous")) return undefined;
  throw error;
}

function isId(text: string): boolean {
  try {
    checkSessionId(text);
    return true;
  } catch {
    // A name for people, such as one with blanks.
    return false;
  }
}
