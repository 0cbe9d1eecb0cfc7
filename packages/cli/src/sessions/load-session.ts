import type { SessionEntry } from "@ashlar/context";
import type { LoadedSession } from "../export/session-document.js";
import type { Terminal } from "../terminal.js";
import { visibleText } from "../terminal-text.js";
import { findSession } from "./find-session.js";
import { type Sessions, untilCancelled } from "./open-sessions.js";
import { withProgress } from "./progress.js";

/** Reads a session whole, without a lock, and says on stderr what of it is damaged. */
export async function loadSession(
  terminal: Terminal,
  sessions: Sessions,
  id: string,
): Promise<LoadedSession> {
  const { id: found } = await findSession(sessions, id);
  const store = await sessions.repository.open(found, { readonly: true });
  try {
    const entries: SessionEntry[] = [];
    await withProgress(terminal, { what: `reading ${found}`, of: "entries" }, async (progress) => {
      for await (const entry of untilCancelled(store.read(), terminal.cancelled)) {
        entries.push(entry);
        progress.count = entries.length;
      }
    });
    for (const { message } of store.damage) terminal.err.write(`ashlar: ${visibleText(message)}\n`);
    return { info: store.info, entries, damage: [...store.damage] };
  } finally {
    await store.close();
  }
}
