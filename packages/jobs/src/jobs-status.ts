import type { JobsFolder } from "./folder/jobs-folder.js";
import { readLastScan } from "./folder/scan-records.js";
import { type RejectedFile, readTaskFiles } from "./folder/task-files.js";
import { scheduleText } from "./schedule/schedule.js";
import { type PlannedTask, plan, type TaskStanding } from "./scheduler/plan.js";
import type { RunRecord } from "./state/attempt.js";
import type { JobState } from "./state/job-state.js";

/** How many records of runs a status shows. */
const SHOWN_RUNS = 20;

/** One task, as it stands. */
export interface TaskStatus {
  readonly filename: string;
  readonly id: string;
  /** In words, such as `at 07:00 in Europe/Berlin`. */
  readonly schedule: string;
  readonly standing: TaskStanding["kind"];
  /** ISO time of the occurrence that is due, or comes next. */
  readonly next?: string;
}

export interface JobsStatus {
  readonly enabled: boolean;
  /** ISO time and zone that were used. */
  readonly now: string;
  readonly zone: string;
  readonly tasks: readonly TaskStatus[];
  readonly rejected: readonly RejectedFile[];
  /** The newest first. */
  readonly runs: readonly RunRecord[];
  /** What `last-run.json` holds. */
  readonly lastScan?: unknown;
}

export interface StatusParts {
  readonly folder: JobsFolder;
  readonly state: JobState;
  readonly now: number;
  readonly zone: string;
}

/** Looks without leaving a mark: a task that no scan has seen is shown as it would stand if one came now. */
export async function readStatus({ folder, state, now, zone }: StatusParts): Promise<JobsStatus> {
  const { tasks, rejected } = await readTaskFiles(folder);
  const planned: PlannedTask[] = [];
  for (const { task, slot, since } of tasks) {
    const seen =
      task.schedule.kind === "once" ? since : await state.seen(task.id, scheduleText(task.schedule));
    planned.push({ task, fileSlot: slot, since, anchor: seen ?? now, history: await state.history(task.id) });
  }
  const { standings } = plan(planned, { now, zone });
  const lastScan = await readLastScan(folder);
  return {
    enabled: true,
    now: new Date(now).toISOString(),
    zone,
    tasks: planned.map(({ task }) => {
      const standing = standings.get(task.filename) ?? { kind: "disabled", next: undefined };
      const next = nextOf(standing);
      return {
        filename: task.filename,
        id: task.id,
        schedule: scheduleText(task.schedule),
        standing: standing.kind,
        ...(next !== undefined && { next: new Date(next).toISOString() }),
      };
    }),
    rejected,
    runs: await state.list(SHOWN_RUNS),
    ...(lastScan !== undefined && { lastScan }),
  };
}

function nextOf(standing: TaskStanding): number | undefined {
  if (standing.kind === "due") return standing.due.scheduledAt;
  return standing.kind === "ahead" ? standing.until : standing.next;
}
