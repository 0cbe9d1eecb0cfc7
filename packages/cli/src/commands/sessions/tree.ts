import type { SessionInfo } from "@ashlar/context";
import type { LoadedSession } from "../../export/session-document.js";
import { outlineRecords, outlineText } from "../../sessions/branch-line.js";
import { depthFirst } from "../../sessions/depth-first.js";
import { familiesOf } from "../../sessions/family.js";
import { countOf } from "../../sessions/flag-count.js";
import { loadSession } from "../../sessions/load-session.js";
import { type Sessions, withSessions } from "../../sessions/open-sessions.js";
import { outlineOf } from "../../sessions/outline.js";
import { sayCount } from "../../sessions/session-count.js";
import { sessionLine } from "../../sessions/session-line.js";
import type { Terminal } from "../../terminal.js";
import { clipped, visibleJson } from "../../terminal-text.js";

export interface TreeFlags {
  readonly all?: true;
  readonly limit?: string;
  readonly json?: true;
}

const DEFAULT_LIMIT = 200;
const INDENT = "  ";

/** Prints the sessions under those they came from; of one session its branches, with lanes and labels. */
export async function treeCommand(
  terminal: Terminal,
  id: string | undefined,
  flags: TreeFlags,
): Promise<number> {
  const limit = countOf("--limit", flags.limit) ?? DEFAULT_LIMIT;
  return withSessions(terminal, async (sessions) => {
    const lines =
      id === undefined
        ? familyLines(await listed(terminal, sessions, { limit, all: flags.all === true }), flags)
        : branchLines(await loadSession(terminal, sessions, id), flags);
    for (const line of lines) {
      terminal.out.write(`${flags.json ? line : clipped(line, terminal.outColumns)}\n`);
    }
    return 0;
  });
}

async function listed(
  terminal: Terminal,
  { repository, cwd }: Sessions,
  { limit, all }: { readonly limit: number; readonly all: boolean },
): Promise<readonly SessionInfo[]> {
  const infos = await repository.list({ limit, ...(all ? {} : { cwd }) });
  sayCount(terminal, infos.length, { limit, all });
  return infos;
}

function* familyLines(infos: readonly SessionInfo[], { all, json }: TreeFlags): Generator<string> {
  for (const { node, depth } of depthFirst(familiesOf(infos), ({ descendants }) => descendants)) {
    yield json
      ? visibleJson({ ...node.info, depth })
      : INDENT.repeat(depth) + sessionLine(node.info, { showProject: all === true });
  }
}

function* branchLines({ info, entries }: LoadedSession, { json }: TreeFlags): Generator<string> {
  const outline = outlineOf(entries);
  yield json ? visibleJson({ type: "session", ...info }) : sessionLine(info, { showProject: true });
  if (json) for (const record of outlineRecords(outline)) yield visibleJson(record);
  else yield* outlineText(outline);
}
