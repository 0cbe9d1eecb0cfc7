import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/** Why a file gives nothing; the message is the rest of a sentence about it. */
export class ContentFileProblem extends Error {}

/**
 * The bytes of a regular file. Follows no link at the last component and waits for no FIFO. Throws a
 * `ContentFileProblem` for what cannot be taken.
 */
export async function readContentFile(file: string, maxBytes: number): Promise<Uint8Array> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stat = await handle.stat();
    if (!stat.isFile()) throw new ContentFileProblem("it is no regular file");
    if (stat.size > maxBytes)
      throw new ContentFileProblem(`it has ${stat.size} bytes; at most ${maxBytes} are read`);
    return await wholeFile(handle, stat.size);
  } catch (error) {
    throw error instanceof ContentFileProblem ? error : new ContentFileProblem(problemOf(error));
  } finally {
    await handle?.close();
  }
}

/** The file as it was when its size was asked for. */
async function wholeFile(handle: FileHandle, size: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(size);
  let filled = 0;
  while (filled < size) {
    const { bytesRead } = await handle.read(bytes, filled, size - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

/** The same as text. */
export async function readContentText(file: string, maxBytes: number): Promise<string> {
  const bytes = await readContentFile(file, maxBytes);
  try {
    // The mark stays, so that whoever reads the text decides about it.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // The decoder's own words say no more than this.
    throw new ContentFileProblem("it is no UTF-8 text");
  }
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

export function isMissing(error: unknown): boolean {
  return codeOf(error) === "ENOENT";
}

export function problemOf(error: unknown): string {
  switch (codeOf(error)) {
    case "ENOENT":
      return "there is no such file";
    case "ELOOP":
      return "it is a link, and links are not followed";
    case "ENOTDIR":
      return "it is no folder";
    default:
      return `it cannot be read (${codeOf(error) ?? String(error)})`;
  }
}
