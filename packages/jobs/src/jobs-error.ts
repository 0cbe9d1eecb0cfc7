import { AshlarError, isAshlarError } from "@ashlar/context";

/** Every way this package fails by a throw. What one task does wrong does not throw: it is a problem of the scan. */
export interface JobsErrorDetails {
  /** A mistake of the caller. */
  usage: { readonly argument?: string };
  /** The project has no `ai-jobs` folder. */
  disabled: { readonly folder: string };
  /** Something stands where a folder or file of ours has to be. */
  layout: { readonly path: string };
  /** A task file that is no task. */
  task: { readonly file: string };
  missing: { readonly file: string };
  exists: { readonly file: string };
  /** The system refused; such as `ENOSPC`. */
  storage: { readonly path?: string; readonly code?: string };
}
export type JobsErrorKind = keyof JobsErrorDetails;

export class JobsError<Kind extends JobsErrorKind = JobsErrorKind> extends AshlarError<
  Kind,
  JobsErrorDetails[Kind]
> {
  constructor(
    kind: Kind,
    message: string,
    details: JobsErrorDetails[Kind],
    options?: { readonly cause?: unknown },
  ) {
    super(kind, message, details, options);
    // A minifier renames classes; the guard of another copy reads this name.
    this.name = "JobsError";
  }
}

/** True for an error of any copy of this package. */
export function isJobsError(value: unknown): value is JobsError {
  return isAshlarError(value) && value.name === "JobsError";
}
