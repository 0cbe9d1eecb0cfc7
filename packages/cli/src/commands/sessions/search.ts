import type { SearchHit } from "@ashlar/context";
import { CommandError } from "../../command-error.js";
import { isoMinute } from "../../export/item-parts.js";
import { countOf } from "../../sessions/flag-count.js";
import { untilCancelled, withSessions } from "../../sessions/open-sessions.js";
import { withProgress } from "../../sessions/progress.js";
import type { Terminal } from "../../terminal.js";
import { visibleJson, visibleLine } from "../../terminal-text.js";

export interface SearchFlags {
  readonly all?: true;
  readonly limit?: string;
  readonly json?: true;
}

/** Prints where all the words were said, best first. Exit code 0 whether or not something was found. */
export async function searchCommand(
  terminal: Terminal,
  words: readonly string[],
  flags: SearchFlags,
): Promise<number> {
  const limit = countOf("--limit", flags.limit);
  const text = words.join(" ");
  if (text.trim() === "")
    throw new CommandError("usage", "search: give a word to look for", { argument: "words" });
  return withSessions(terminal, async ({ repository, cwd }) => {
    const options = {
      signal: terminal.cancelled,
      ...(flags.all ? {} : { cwd }),
      ...(limit === undefined ? {} : { limit }),
    };
    const hits: SearchHit[] = [];
    await withProgress(terminal, { what: "searching", of: "hits" }, async (progress) => {
      for await (const hit of untilCancelled(repository.search(text, options), terminal.cancelled)) {
        hits.push(hit);
        progress.count = hits.length;
      }
    });
    for (const hit of hits) terminal.out.write(`${flags.json ? visibleJson(hit) : hitText(hit)}\n`);
    if (hits.length === 0) {
      const where = flags.all ? "" : " in this project; --all searches all of them";
      terminal.err.write(`ashlar: nothing was found${where}\n`);
    }
    return 0;
  });
}

function hitText({ session, entry, at, snippet }: SearchHit): string {
  return `${visibleLine(session)}  ${isoMinute(at)}  ${visibleLine(entry)}\n    ${visibleLine(snippet)}`;
}
