// A store that writes down what it is about to append and what it was told is safe, so that a judge can compare.
import { createHash } from "node:crypto";
import { openSync, writeSync } from "node:fs";

export const fingerprint = (entry) =>
  `${entry.id} ${createHash("sha1").update(JSON.stringify(entry)).digest("hex").slice(0, 16)}`;

/** Lines of the log: `will <id> <hash>` before an append, `did <id> <hash>` once it is committed. */
export function logged(store, logFile) {
  const log = openSync(logFile, "a");
  const note = (word, entries) => {
    const lines = entries.map((entry) => `${word} ${fingerprint(entry)}\n`).join("");
    if (lines !== "") writeSync(log, lines);
  };
  return {
    load: store.load,
    read: store.read,
    close: store.close,
    get info() {
      return store.info;
    },
    get damage() {
      return store.damage;
    },
    append: async (entries, options) => {
      note("will", entries);
      await store.append(entries, options);
      note("did", entries);
    },
  };
}
