import { randomUUID } from "node:crypto";
import { constants, copyFile, link, open, rename, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { CommandError } from "../command-error.js";
import type { Terminal } from "../terminal.js";

/** So much waits for the reader at most. */
const BATCH_CHARACTERS = 1024 * 1024;
/** What was said is for the user alone. */
const PRIVATE = 0o600;

export interface WriteTarget {
  /** From the working folder; undefined: standard output. */
  readonly file: string | undefined;
  /** Whether a file that is there is replaced. */
  readonly replace: boolean;
}

/** Writes text piece by piece. A file is there whole or not at all. Throws kind `usage` for a place that cannot be written. */
export async function writePieces(
  terminal: Terminal,
  pieces: AsyncIterable<string>,
  { file, replace }: WriteTarget,
): Promise<void> {
  if (file === undefined) {
    for await (const batch of batches(pieces)) {
      terminal.out.write(batch);
      await terminal.out.flush();
    }
    return;
  }
  const target = resolve(terminal.cwd, file);
  const staged = `${target}.${randomUUID()}.tmp`;
  try {
    await writeAll(staged, pieces);
    if (replace) await rename(staged, target);
    else await publish(staged, target);
  } catch (error) {
    throw unwritable(error, file);
  } finally {
    // Where nothing can be made nothing can be removed either, and that is told already.
    await rm(staged, { force: true }).catch(() => undefined);
  }
}

/** Fails with `EEXIST` for a file that is there. */
async function publish(staged: string, target: string): Promise<void> {
  try {
    await link(staged, target);
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw error;
    // A file system without links, such as that of a memory stick.
    await copyFile(staged, target, constants.COPYFILE_EXCL);
  }
}

async function writeAll(path: string, pieces: AsyncIterable<string>): Promise<void> {
  const handle = await open(path, "wx", PRIVATE);
  try {
    for await (const batch of batches(pieces)) await handle.writeFile(batch);
  } finally {
    await handle.close();
  }
}

async function* batches(pieces: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let batch = "";
  for await (const piece of pieces) {
    batch += piece;
    if (batch.length < BATCH_CHARACTERS) continue;
    yield batch;
    batch = "";
  }
  if (batch !== "") yield batch;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

/** The system's words, without the temporary name that stands behind them. */
function reasonOf({ message }: Error): string {
  return message.split(", ", 1).join("");
}

function unwritable(error: unknown, file: string): unknown {
  const code = codeOf(error);
  if (!(error instanceof Error) || code === undefined) return error;
  const problem =
    code === "EEXIST"
      ? "there is such a file already; --force replaces it"
      : `it cannot be written (${reasonOf(error)})`;
  return new CommandError(
    "usage",
    `--output ${file}: ${problem}`,
    { argument: "--output" },
    { cause: error },
  );
}
