import { conversationText } from "../../export/conversation-text.js";
import { type LoadedSession, sessionDocument } from "../../export/session-document.js";
import { countOf } from "../../sessions/flag-count.js";
import { loadSession } from "../../sessions/load-session.js";
import { untilCancelled, withSessions } from "../../sessions/open-sessions.js";
import { writePieces } from "../../sessions/write-pieces.js";
import type { Terminal } from "../../terminal.js";
import { visibleJson } from "../../terminal-text.js";

export interface ShowFlags {
  readonly limit?: string;
  readonly full?: true;
  readonly branches?: true;
  readonly json?: true;
}

/** Prints a conversation as text; `--json`: what it is, then each item on a line. */
export async function showCommand(terminal: Terminal, id: string, flags: ShowFlags): Promise<number> {
  const limit = countOf("--limit", flags.limit);
  return withSessions(terminal, async (sessions) => {
    const loaded = await loadSession(terminal, sessions, id);
    const pieces = flags.json
      ? jsonLines(loaded, flags, limit)
      : conversationText(sessionDocument(loaded, { allBranches: flags.branches === true }), {
          full: flags.full === true,
          ...(limit === undefined ? {} : { limit }),
        });
    await writePieces(terminal, untilCancelled(pieces, terminal.cancelled), {
      file: undefined,
      replace: false,
    });
    return 0;
  });
}

function* jsonLines(
  loaded: LoadedSession,
  flags: ShowFlags,
  limit: number | undefined,
): Generator<string, void, undefined> {
  const { info, stats, damage, labels, branches } = sessionDocument(loaded, {
    allBranches: flags.branches === true,
  });
  yield `${visibleJson({ type: "session", ...info, stats, damage })}\n`;
  for (const { title, from, items } of branches) {
    if (flags.branches) yield `${visibleJson({ type: "branch", title, from })}\n`;
    for (const { entry, at, origin, item } of limit === undefined ? items : items.slice(-limit)) {
      yield `${visibleJson({ type: "item", entry, at, origin, label: labels.get(entry), item })}\n`;
    }
  }
}
