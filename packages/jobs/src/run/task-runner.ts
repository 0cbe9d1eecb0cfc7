import type { AttemptEnd } from "../state/attempt.js";
import type { Task } from "../task/task.js";

/** How a job's agent ended. */
export type JobEnd = Pick<AttemptEnd, "outcome" | "error" | "exitCode">;

export interface JobOptions {
  /** Id of the conversation. */
  readonly session: string;
  /** Cancels the job. */
  readonly signal: AbortSignal;
}

/** Carries out tasks. */
export interface TaskRunner {
  /** Why a task cannot begin as things are, such as a model that is not there; undefined: it can. Nothing is claimed before. */
  readonly problem: (task: Task) => Promise<string | undefined>;
  /** Never rejects: what goes wrong is the end of the job. */
  readonly run: (task: Task, options: JobOptions) => Promise<JobEnd>;
}
