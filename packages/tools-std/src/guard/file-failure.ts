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
};

/** Node's error code of a failure, such as `ENOENT`. */
export function codeOf(cause: unknown): string | undefined {
  return cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : undefined;
}

/** What the operating system's failure is for the caller: kind `missing` or `unreadable`. */
export function unreadable(path: string, cause: unknown): ToolError {
  const code = codeOf(cause);
  if (code === "ENOENT") return new ToolError("missing", `There is no ${shownName(path)}.`, { path });
  const reason =
    (code === undefined ? undefined : REASONS[code]) ??
    (cause instanceof Error ? cause.message : String(cause));
  const details = { path, ...(code === undefined ? {} : { code }) };
  return new ToolError("unreadable", `${shownName(path)} cannot be read: ${reason}.`, details, { cause });
}
