import { extname } from "node:path";
import { CommandError } from "../../command-error.js";
import { type LoadedSession, sessionDocument } from "../../export/session-document.js";
import { sessionFileText } from "../../export/session-file.js";
import { loadSession } from "../../sessions/load-session.js";
import { untilCancelled, withSessions } from "../../sessions/open-sessions.js";
import { type Progress, withProgress } from "../../sessions/progress.js";
import { writePieces } from "../../sessions/write-pieces.js";
import type { Terminal } from "../../terminal.js";
import { visibleLine } from "../../terminal-text.js";

export interface ExportFlags {
  readonly markdown?: true;
  readonly html?: true;
  readonly json?: true;
  readonly branches?: true;
  readonly output?: string;
  readonly force?: true;
}

const STDOUT = "-";

type Format = "markdown" | "html" | "json";

const BY_EXTENSION: Readonly<Record<string, Format>> = {
  ".md": "markdown",
  ".markdown": "markdown",
  ".html": "html",
  ".htm": "html",
  ".json": "json",
};

/** Writes a session as Markdown, HTML or JSON to a file or to standard output. */
export async function exportCommand(terminal: Terminal, id: string, flags: ExportFlags): Promise<number> {
  const format = formatOf(flags);
  const output = outputOf(flags);
  return withSessions(terminal, async (sessions) => {
    const loaded = await loadSession(terminal, sessions, id);
    const pieces = untilCancelled(
      await piecesOf(loaded, format, flags.branches === true),
      terminal.cancelled,
    );
    const target = { file: output, replace: flags.force === true };
    if (output === undefined) {
      await writePieces(terminal, pieces, target);
      return 0;
    }
    // Where the pieces go to a terminal themselves, they say how far it is.
    await withProgress(terminal, { what: `writing ${visibleLine(output)}`, of: "pieces" }, (progress) =>
      writePieces(terminal, counted(pieces, progress), target),
    );
    terminal.err.write(`ashlar: wrote ${loaded.info.id} to ${visibleLine(output)}\n`);
    return 0;
  });
}

/** The file; undefined for standard output. */
function outputOf({ output }: ExportFlags): string | undefined {
  if (output?.trim() === "") {
    throw new CommandError("usage", "--output: it is blank; name a file, or - for standard output", {
      argument: "--output",
    });
  }
  return output === STDOUT ? undefined : output;
}

function formatOf({ markdown, html, json, output }: ExportFlags): Format {
  const asked: readonly Format[] = [
    ...(markdown ? (["markdown"] as const) : []),
    ...(html ? (["html"] as const) : []),
    ...(json ? (["json"] as const) : []),
  ];
  if (asked.length > 1) {
    const flags = asked.map((format) => `--${format}`).join(" and ");
    throw new CommandError("usage", `export: ${flags} are different formats; give one`, {
      argument: "format",
    });
  }
  const extension = output === undefined ? "" : extname(output).toLowerCase();
  return asked[0] ?? BY_EXTENSION[extension] ?? "markdown";
}

async function* counted(
  pieces: AsyncIterable<string>,
  progress: Progress,
): AsyncGenerator<string, void, undefined> {
  for await (const piece of pieces) {
    progress.count += 1;
    yield piece;
  }
}

/** The writers of people's formats are loaded when they are needed: one of them brings a Markdown parser. */
async function piecesOf(
  loaded: LoadedSession,
  format: Format,
  allBranches: boolean,
): Promise<Iterable<string>> {
  if (format === "json") return sessionFileText(loaded);
  const document = sessionDocument(loaded, { allBranches });
  if (format === "html") return (await import("../../export/html.js")).htmlText(document);
  return (await import("../../export/markdown.js")).markdownText(document);
}
