import type { JobEnd, JobOptions, TaskRunner } from "../../src/run/task-runner.js";
import type { Task } from "../../src/task/task.js";

export interface ScriptedRunner extends TaskRunner {
  /** File names of the jobs that began, in order. */
  readonly began: readonly string[];
  /** The most that ran at one time. */
  readonly most: number;
}

export interface RunnerScript {
  /** File names that cannot begin, with the reason. */
  readonly problems?: Readonly<Record<string, string>>;
  /** What a job does. Default: it completes at once. */
  readonly work?: (task: Task, options: JobOptions) => Promise<JobEnd>;
}

/** Carries tasks out without an agent. */
export function scriptedRunner({ problems = {}, work }: RunnerScript = {}): ScriptedRunner {
  const began: string[] = [];
  const state = { running: 0, most: 0 };
  return {
    began,
    get most() {
      return state.most;
    },
    problem: async ({ filename }) => problems[filename],
    run: async (task, options) => {
      began.push(task.filename);
      state.running += 1;
      state.most = Math.max(state.most, state.running);
      try {
        return work === undefined ? { outcome: "completed", exitCode: 0 } : await work(task, options);
      } finally {
        state.running -= 1;
      }
    },
  };
}
