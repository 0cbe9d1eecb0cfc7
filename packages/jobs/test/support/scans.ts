import { openJobsFolder } from "../../src/folder/jobs-folder.js";
import { createProblemLog } from "../../src/folder/problem-log.js";
import { type Scan, Scanner, type WithRunner } from "../../src/run/scan.js";
import type { TaskRunner } from "../../src/run/task-runner.js";
import type { RunRecord } from "../../src/state/attempt.js";
import { createFolderState } from "../../src/state/folder-state.js";
import type { JobState } from "../../src/state/job-state.js";

/** A scheduler whose time and runner the test sets. */
export interface TestScheduler {
  readonly state: JobState;
  readonly scan: (now: string | (() => string), runner: TaskRunner, options?: ScanOptions) => Promise<Scan>;
}

export interface ScanOptions {
  readonly signal?: AbortSignal;
  readonly onRun?: (record: RunRecord) => void;
  /** Default: has the runner at once. */
  readonly withRunner?: WithRunner;
}

const dayOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10);

/** In UTC. A second one over the same folder is another scheduler, or the same after a new start. */
export async function schedulerOf(root: string, given?: JobState): Promise<TestScheduler> {
  const folder = await openJobsFolder(root);
  const state = given ?? createFolderState({ folder: folder.path, dayOf });
  const problems = createProblemLog({ folder, root, dayOf });
  return {
    state,
    scan: (now, runner, { signal = new AbortController().signal, onRun, withRunner } = {}) => {
      const host = {
        folder,
        state,
        problems,
        zone: "UTC",
        now: () => Date.parse(typeof now === "string" ? now : now()),
        ...(onRun && { onRun }),
      };
      return new Scanner(host).run(withRunner ?? ((work) => work(runner)), signal);
    },
  };
}

/** `file outcome` of each attempt, in order. */
export function outcomesOf({ outcomes }: Pick<Scan, "outcomes">): readonly string[] {
  return outcomes.map(({ attempt, end }) => `${attempt.filename} ${end?.outcome}`);
}
