import { JobsError } from "../jobs-error.js";

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** What the system refused, as an error of this package that names the place. */
export function storageError(path: string, error: unknown): JobsError {
  if (error instanceof JobsError) return error;
  const code = codeOf(error);
  const reason = error instanceof Error ? error.message : String(error);
  return new JobsError(
    "storage",
    `${path}: ${reason}`,
    { path, ...(code !== undefined && { code }) },
    { cause: error },
  );
}
