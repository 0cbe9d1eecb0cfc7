// What a writer was about to commit and what it was told is safe, in a file that outlives it, so that a judge can compare.
import { createHash } from "node:crypto";
import { existsSync, openSync, readFileSync, writeSync } from "node:fs";

export const fingerprint = (entry) =>
  `${entry.id} ${createHash("sha256").update(JSON.stringify(entry)).digest("hex").slice(0, 16)}`;

/** The same store, which notes `will …` before an append and `did …` after it. */
export function noting(store, logFile) {
  const log = openSync(logFile, "a");
  const note = (word, entries) => {
    if (entries.length > 0)
      writeSync(log, entries.map((entry) => `${word} ${fingerprint(entry)}\n`).join(""));
  };
  const append = async (entries, options) => {
    note("will", entries);
    await store.append(entries, options);
    note("did", entries);
  };
  const { load, read, close } = store;
  return { load, read, close, append, info: store.info };
}

export function notesIn(logFile) {
  const notes = { will: new Set(), did: new Set() };
  const lines = existsSync(logFile) ? readFileSync(logFile, "utf8").split("\n") : [];
  for (const line of lines.slice(0, -1)) {
    const [word, ...rest] = line.split(" ");
    notes[word].add(rest.join(" "));
  }
  return notes;
}
