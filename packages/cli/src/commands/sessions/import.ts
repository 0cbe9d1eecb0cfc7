import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { CommandError } from "../../command-error.js";
import { readSessionFile } from "../../export/read-session-file.js";
import { readInput } from "../../read-input.js";
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
