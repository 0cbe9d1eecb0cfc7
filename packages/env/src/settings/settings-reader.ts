import { constants, type FileHandle, open, readdir, realpath } from "node:fs/promises";
import { relative, sep } from "node:path";

/** What was found at a settings file's path. `stamp` changes whenever the file does. */
export type FoundText =
  | { readonly kind: "absent"; readonly stamp: "absent" }
  | { readonly kind: "same" }
  | { readonly kind: "text"; readonly stamp: string; readonly text: string }
  | { readonly kind: "unreadable"; readonly stamp: string; readonly reason: string };

const MAX_BYTES = 1024 * 1024;

/** Reads a settings file unless its stamp is `known`. Never blocks on a pipe; never rejects. `within`: a link may not leave this folder. */
export async function readSettingsFile(
  file: string,
  known: string | undefined,
  within: string | undefined,
): Promise<FoundText> {
  let handle: FileHandle;
  try {
    handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") {
      return known === "absent" ? { kind: "same" } : { kind: "absent", stamp: "absent" };
    }
    return { kind: "unreadable", stamp: code, reason: `it cannot be opened (${code})` };
  }
  try {
    const stat = await handle.stat({ bigint: true });
    const stamp = `${stat.ino}.${stat.size}.${stat.mtimeNs}.${stat.ctimeNs}`;
    if (stamp === known) return { kind: "same" };
    const unreadable = (reason: string): FoundText => ({ kind: "unreadable", stamp, reason });
    if (stat.isDirectory() && (await isHeldPlace(file)))
      return known === "absent" ? { kind: "same" } : { kind: "absent", stamp: "absent" };
    if (!stat.isFile()) return unreadable("it is not a file");
    if (stat.size > MAX_BYTES) return unreadable(`it has more than ${MAX_BYTES} bytes`);
    if (within !== undefined && leaves(within, await realpath(file))) {
      return unreadable("it is a link that leaves the project");
    }
    const text = decode(await handle.readFile());
    return text === undefined ? unreadable("it is not UTF-8 text") : { kind: "text", stamp, text };
  } catch (error) {
    return { kind: "unreadable", stamp: codeOf(error), reason: `it cannot be read (${codeOf(error)})` };
  } finally {
    await handle.close();
  }
}

/** A sandbox keeps a missing file from coming into being by a folder in its place, which holds nothing but its marks. */
async function isHeldPlace(folder: string): Promise<boolean> {
  const names = await readdir(folder);
  return names.length > 0 && names.every((name) => name.startsWith(".ashlar-"));
}

function leaves(folder: string, file: string): boolean {
  const path = relative(folder, file);
  return path === ".." || path.startsWith(`..${sep}`);
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
