import { ToolError } from "../tool-error.js";
import { shownName } from "./shown-name.js";

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  ELOOP: "its links go round in a circle",
  ENOTDIR: "a part of it is a file, not a folder",
  ENAMETOOLONG: "a part of it is too long for a file name",
  EISDIR: "it is a folder",
  EIO: "the disk failed",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file would be too large",
  EROFS: "it lies on a file system that cannot be written, or outside what the sandbox lets through",
  EEXIST: "something of that name is there",
};

/** Node's error code of a failure, such as `ENOENT`. */
export function codeOf(cause: unknown): string | undefined {
  return cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : undefined;
}

/** What the operating system's failure is for the caller: kind `missing` or `unreadable`. */
export function unreadable(path: string, cause: unknown): ToolError {
  if (codeOf(cause) === "ENOENT")
    return new ToolError("missing", `There is no ${shownName(path)}.`, { path });
  const message = `${shownName(path)} cannot be read: ${reasonOf(cause)}.`;
  return new ToolError("unreadable", message, detailsOf(path, cause), { cause });
}

/** The same for a write: kind `unwritable`. */
export function unwritable(path: string, cause: unknown): ToolError<"unwritable"> {
  const message = `${shownName(path)} cannot be written: ${reasonOf(cause)}.`;
  return new ToolError("unwritable", message, detailsOf(path, cause), { cause });
}

function reasonOf(cause: unknown): string {
  const code = codeOf(cause);
  return (
    (code === undefined ? undefined : REASONS[code]) ??
    (cause instanceof Error ? cause.message : String(cause))
  );
}

function detailsOf(path: string, cause: unknown): { readonly path: string; readonly code?: string } {
  const code = codeOf(cause);
  return { path, ...(code === undefined ? {} : { code }) };
}
