import { newestOccurrence, nextOccurrence } from "../schedule/occurrences.js";
import type { RecurringSchedule } from "../schedule/schedule.js";
import type { TaskHistory } from "../state/job-state.js";
import type { Task } from "../task/task.js";

/** One task and what is known of it. Times are epoch milliseconds. */
export interface PlannedTask {
  readonly task: Task;
  /** Names this appearance of the file of a single run. */
  readonly fileSlot: string;
  /** Since when the file is there. */
  readonly since: number;
  /** When its schedule was first seen. */
  readonly anchor: number;
  readonly history: TaskHistory;
}

/** An occurrence that may begin now. */
export interface Due {
  readonly filename: string;
  readonly slot: string;
  readonly scheduledAt: number;
}

/** `next`: when the occurrence after now comes; undefined: nothing comes any more. */
export type TaskStanding =
  /** `enabled: false`. */
  | { readonly kind: "disabled"; readonly next: undefined }
  | { readonly kind: "due"; readonly due: Due; readonly next: number | undefined }
  /** An attempt of it has no end yet; what comes due meanwhile waits for that. */
  | { readonly kind: "running"; readonly next: number | undefined }
  | { readonly kind: "waiting"; readonly next: number | undefined }
  /** The clock was set back: nothing begins until it has passed `until`, where the newest attempt was scheduled. */
  | { readonly kind: "ahead"; readonly until: number; readonly next: undefined };

export interface Plan {
  /** The oldest first; at most one for each task. */
  readonly due: readonly Due[];
  /** When the next occurrence of any task comes. */
  readonly next: number | undefined;
  /** By file name. */
  readonly standings: ReadonlyMap<string, TaskStanding>;
}

export interface PlanTime {
  readonly now: number;
  /** IANA name of the machine's zone. */
  readonly zone: string;
}

/** What is due. It depends on nothing but its arguments, so every scheduler with the same facts comes to the same plan. */
export function plan(tasks: readonly PlannedTask[], time: PlanTime): Plan {
  const standings = new Map(tasks.map((planned) => [planned.task.filename, standingOf(planned, time)]));
  const due: Due[] = [];
  let next: number | undefined;
  for (const standing of standings.values()) {
    if (standing.kind === "due") due.push(standing.due);
    if (standing.next !== undefined) next = Math.min(next ?? standing.next, standing.next);
  }
  due.sort((a, b) => a.scheduledAt - b.scheduledAt || (a.filename < b.filename ? -1 : 1));
  return { due, next, standings };
}

function standingOf(planned: PlannedTask, time: PlanTime): TaskStanding {
  const { enabled, schedule } = planned.task;
  if (!enabled) return { kind: "disabled", next: undefined };
  return schedule.kind === "once" ? onceStanding(planned, time) : recurringStanding(planned, schedule, time);
}

/** A single run is due as soon as it is seen; its file moves away when it begins. */
function onceStanding({ task, fileSlot, since, history }: PlannedTask, { now }: PlanTime): TaskStanding {
  const next = undefined;
  if (history.open.has(fileSlot)) return { kind: "running", next };
  if (history.slots.has(fileSlot)) return { kind: "waiting", next };
  const due = { filename: task.filename, slot: fileSlot, scheduledAt: Math.min(since, now) };
  return { kind: "due", due, next };
}

/** The newest occurrence counts, and those before it that were missed are coalesced into it. */
function recurringStanding(
  { task, anchor, history }: PlannedTask,
  schedule: RecurringSchedule,
  { now, zone }: PlanTime,
): TaskStanding {
  const anchored = { schedule, anchor, zone };
  const { newest = Number.NEGATIVE_INFINITY, open } = history;
  if (newest > now) return { kind: "ahead", until: newest, next: undefined };
  const next = nextOccurrence(anchored, now);
  if (open.size > 0) return { kind: "running", next };
  const scheduledAt = newestOccurrence(anchored, newest, now);
  if (scheduledAt === undefined) return { kind: "waiting", next };
  return { kind: "due", due: { filename: task.filename, slot: String(scheduledAt), scheduledAt }, next };
}
