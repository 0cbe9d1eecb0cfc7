import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** What is made in moments and is this old was left by a crash. */
const LEFT_MS = 3_600_000;
/** Staged files, and locks on their way to their place. */
const PASSING = /\.jsonl\.(?:[0-9a-f-]{36}\.tmp|lock\.[0-9a-f-]{36})$/;

/** Takes away what crashed processes left half made in a folder. What cannot be taken away stays. */
export async function sweep(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => PASSING.test(name));
  for (const file of names.map((name) => join(folder, name))) {
    try {
      if ((await stat(file)).mtimeMs < Date.now() - LEFT_MS) await rm(file);
    } catch {
      // Somebody else took it away, or it is not ours to.
    }
  }
}
