import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { CommandError } from "../../command-error.js";
import { readSessionFile } from "../../export/read-session-file.js";
import { readInputBytes } from "../../read-input.js";
import { keepSession } from "../../sessions/keep-session.js";
import { withSessions } from "../../sessions/open-sessions.js";
import { withProgress } from "../../sessions/progress.js";
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
    const info = await withProgress(terminal, { what: "importing", of: "entries" }, () =>
      keepSession(repository, read, { ...flags, ...(flags.here ? { cwd } : {}) }),
    );
    terminal.out.write(`${info.id}\n`);
    if (info.cwd !== undefined && info.cwd !== cwd) {
      const whose = `it belongs to the project ${visibleLine(info.cwd)}`;
      terminal.err.write(`ashlar: ${whose}; --here would make it one of this project\n`);
    }
    return 0;
  });
}

async function textOf(terminal: Terminal, file: string): Promise<string> {
  const bytes =
    file === STDIN ? await readInputBytes(terminal) : await bytesOf(resolve(terminal.cwd, file), file);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    const at = file === STDIN ? "stdin" : file;
    throw new CommandError("malformed", `${at}: it is no UTF-8 text`, { at }, { cause: error });
  }
}

async function bytesOf(path: string, file: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError("usage", `import: ${file}: ${reason}`, { argument: file }, { cause: error });
  }
}
