import { SessionError } from "@ashlar/context";

/** The system's code of an error, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

const READONLY_CODES: readonly (string | undefined)[] = ["EROFS", "EACCES", "EPERM"];

/** What a failure of the file system means to who keeps sessions. Errors that are a `SessionError` already stay. */
export function storageError(error: unknown, doing: string, id: string): unknown {
  const code = codeOf(error);
  if (error instanceof SessionError || code === undefined) return error;
  const why = error instanceof Error ? error.message : String(error);
  if (READONLY_CODES.includes(code)) {
    return new SessionError(
      "readonly",
      `${doing}: nothing can be written there (${why}); open it for reading`,
      { id },
      { cause: error },
    );
  }
  const advice =
    code === "ENOSPC" || code === "EDQUOT"
      ? "make room, then open the session again"
      : "the session is as it was";
  return new SessionError("storage", `${doing}: ${why}; ${advice}`, { code }, { cause: error });
}

/** The same for who only reads. */
export function readError(error: unknown, doing: string): unknown {
  const code = codeOf(error);
  if (error instanceof SessionError || code === undefined) return error;
  const why = error instanceof Error ? error.message : String(error);
  return new SessionError("storage", `${doing}: ${why}`, { code }, { cause: error });
}
