import type { Files } from "@ashlar/context/tool";
import { unreadable } from "../guard/file-failure.js";
import type { WritablePath } from "../guard/write-guard.js";
import { readBytes } from "../read/text/file-chunks.js";

/** Files beyond this are not looked into. */
const MAX_BYTES = 16 * 1024 * 1024;

/** What a file holds, as text; empty when it is too large to be looked into. */
export async function readFileText(files: Files, path: WritablePath): Promise<string> {
  const size = path.stat?.size ?? 0;
  if (size === 0 || size > MAX_BYTES) return "";
  return new TextDecoder().decode(await readFileBytes(files, path, size));
}

/** The first `size` bytes of a file, fewer when it is shorter. Throws kind `unreadable`. */
export async function readFileBytes(
  files: Files,
  { real, shown }: WritablePath,
  size: number,
): Promise<Uint8Array> {
  try {
    const file = await files.open(real);
    try {
      return await readBytes(file, 0, size);
    } finally {
      await file.close();
    }
  } catch (cause) {
    throw unreadable(shown, cause);
  }
}
