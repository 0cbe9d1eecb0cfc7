import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { isSessionError, type SessionInfo, type SessionRepository } from "@ashlar/context";
import { CommandError } from "../../command-error.js";
import { type ReadSession, readSessionFile } from "../../export/read-session-file.js";
import { readInput } from "../../read-input.js";
import { withSessions } from "../../sessions/open-sessions.js";
import type { Terminal } from "../../terminal.js";
import { visibleLine } from "../../terminal-text.js";

export interface ImportFlags {
  readonly id?: string;
  readonly forceNew?: true;
  readonly here?: true;
}

const STDIN = "-";

/** Takes in a session that `export --json` wrote, as it was. Nothing is written unless all of it is right. */
export async function importCommand(terminal: Terminal, file: string, flags: ImportFlags): Promise<number> {
  if (flags.id !== undefined && flags.forceNew) {
    throw new CommandError("usage", "import: --id and --force-new are two ways to choose the id; give one", {
      argument: "--id",
    });
  }
  const read = readSessionFile(await textOf(terminal, file), file === STDIN ? "stdin" : file);
  return withSessions(terminal, async ({ repository, cwd }) => {
    const info = await keep(repository, read, { ...flags, cwd });
    terminal.out.write(`${info.id}\n`);
    if (info.cwd !== undefined && info.cwd !== cwd) {
      const whose = `it belongs to the project ${visibleLine(info.cwd)}`;
      terminal.err.write(`ashlar: ${whose}; --here would make it one of this project\n`);
    }
    return 0;
  });
}

async function textOf(terminal: Terminal, file: string): Promise<string> {
  if (file === STDIN) return readInput(terminal);
  try {
    const bytes = await readFile(resolve(terminal.cwd, file));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const isText =
      error instanceof Error && "code" in error && error.code !== "ERR_ENCODING_INVALID_ENCODED_DATA";
    if (isText)
      throw new CommandError("usage", `import: ${file}: ${reason}`, { argument: file }, { cause: error });
    throw new CommandError("malformed", `${file}: it is no UTF-8 text`, { at: file }, { cause: error });
  }
}

interface Wanted extends ImportFlags {
  readonly cwd: string;
}

/** All entries are one append, so that a session that is there is there whole. */
async function keep(
  repository: SessionRepository,
  { session, entries }: ReadSession,
  { id, forceNew, here, cwd }: Wanted,
): Promise<SessionInfo> {
  const { id: own, ...rest } = session;
  const wanted = id ?? own;
  const store = await repository
    .create({ ...rest, ...(forceNew ? {} : { id: wanted }), ...(here ? { cwd } : {}) })
    .catch((error: unknown) => {
      throw isSessionError(error) && error.kind === "exists" ? taken(wanted) : error;
    });
  try {
    await store.append(entries, { durable: true });
    await store.close();
  } catch (error) {
    await store.close();
    await repository.delete(store.info.id);
    throw error;
  }
  return store.info;
}

function taken(id: string): CommandError {
  const problem = `import: there is a session ${id} already; give it another id with --id, or --force-new`;
  return new CommandError("usage", problem, { argument: "--id" });
}
