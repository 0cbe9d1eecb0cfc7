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

export type TaskStanding =
  /** `enabled: false`. */
  | { readonly kind: "disabled" }
  | { readonly kind: "due"; readonly due: Due }
  /** An attempt of it has no end yet; the next occurrence waits for that. */
  | { readonly kind: "running" }
  /** `next` undefined: nothing comes any more. */
  | { readonly kind: "waiting"; readonly next: number | undefined }
  /** The clock was set back: nothing begins until it has passed `until`, where the newest attempt was scheduled. */
  | { readonly kind: "ahead"; readonly until: number };

export interface Plan {
  /** The oldest first; at most one for each task. */
  readonly due: readonly Due[];
  /** When the next occurrence of any task comes that is not due yet. */
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
    if (standing.kind === "waiting" && standing.next !== undefined)
      next = Math.min(next ?? Infinity, standing.next);
  }
  due.sort((a, b) => a.scheduledAt - b.scheduledAt || (a.filename < b.filename ? -1 : 1));
  return { due, next, standings };
}

function standingOf(planned: PlannedTask, time: PlanTime): TaskStanding {
  const { task, history } = planned;
  if (!task.enabled) return { kind: "disabled" };
  if (task.schedule.kind === "once") return onceStanding(planned, time);
  if (history.open.size > 0) return { kind: "running" };
  return recurringStanding(planned, task.schedule, time);
}

/** A single run is due as soon as it is seen; its file moves away when it begins. */
function onceStanding({ task, fileSlot, since, history }: PlannedTask, { now }: PlanTime): TaskStanding {
  if (history.open.has(fileSlot)) return { kind: "running" };
  if (history.slots.has(fileSlot)) return { kind: "waiting", next: undefined };
  const due = { filename: task.filename, slot: fileSlot, scheduledAt: Math.min(since, now) };
  return { kind: "due", due };
}

/** The newest occurrence counts, and those before it that were missed are coalesced into it. */
function recurringStanding(
  { task, anchor, history }: PlannedTask,
  schedule: RecurringSchedule,
  { now, zone }: PlanTime,
): TaskStanding {
  const anchored = { schedule, anchor, zone };
  const { newest = Number.NEGATIVE_INFINITY } = history;
  if (newest > now) return { kind: "ahead", until: newest };
  const scheduledAt = newestOccurrence(anchored, newest, now);
  if (scheduledAt === undefined) {
    return { kind: "waiting", next: nextOccurrence(anchored, Math.max(now, newest)) };
  }
  return { kind: "due", due: { filename: task.filename, slot: String(scheduledAt), scheduledAt } };
}
