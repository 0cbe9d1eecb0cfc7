import type { FileKind, FileStat, Files, OpenFile } from "@ashlar/context/tool";
import { ToolError } from "../tool-error.js";
import { type CredentialPlaces, credentialRefusal, holdsCredentials } from "./credential-guard.js";
import { unreadable } from "./file-failure.js";
import type { GuardedPath } from "./path-guard.js";
import { shownName } from "./shown-name.js";

const KIND_NAMES: Readonly<Record<Exclude<FileKind, "file">, string>> = {
  directory: "a folder",
  link: "a link",
  fifo: "a named pipe (FIFO)",
  socket: "a socket",
  device: "a device",
};

export interface GuardedFile {
  readonly file: OpenFile;
  readonly stat: FileStat;
}

/** Refuses what is no regular file before it is opened: opening a pipe or a device can block or do something. */
export function requireRegular(kind: FileKind, shown: string): void {
  if (kind === "file") return;
  throw new ToolError("refused", `${shownName(shown)} is ${KIND_NAMES[kind]}, not a file that can be read.`, {
    path: shown,
    reason: kind,
  });
}

/**
 * Opens a path that was guarded, and makes sure that what was opened is what was checked: nobody may put a link in its
 * way in between. The caller closes the file.
 */
export async function openGuarded(
  files: Files,
  path: GuardedPath,
  places: CredentialPlaces,
): Promise<GuardedFile> {
  const { real, shown } = path;
  const before = await files.lstat(real).catch((cause: unknown) => {
    throw unreadable(shown, cause);
  });
  requireRegular(before.kind, shown);
  const file = await files.open(real).catch((cause: unknown) => {
    throw unreadable(shown, cause);
  });
  try {
    const stat = await file.stat();
    const same = stat.identity === before.identity && (await files.realpath(real)) === real;
    if (!same) {
      throw new ToolError("unreadable", `${shownName(shown)} was replaced while it was opened; try again.`, {
        path: shown,
      });
    }
    requireRegular(stat.kind, shown);
    if (await holdsCredentials(files, { real, stat, places })) throw credentialRefusal(shown);
    return { file, stat };
  } catch (cause) {
    await file.close();
    throw cause instanceof ToolError ? cause : unreadable(shown, cause);
  }
}
