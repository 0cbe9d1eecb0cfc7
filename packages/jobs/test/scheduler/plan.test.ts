import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nextOccurrence } from "../../src/schedule/occurrences.js";
import { type RecurringSchedule, scheduleText } from "../../src/schedule/schedule.js";
import { type PlannedTask, plan } from "../../src/scheduler/plan.js";
import { createAttempt } from "../../src/state/attempt.js";
import type { JobState } from "../../src/state/job-state.js";
import type { Task } from "../../src/task/task.js";
import { createMemoryState, SharedMemory } from "../support/memory-state.js";
import { instants, recurringSchedules, ZONES } from "../support/schedules.js";

function taskOf(name: string, schedule: Task["schedule"]): Task {
  return { id: name, filename: `${name}.md`, prompt: "Do it.", enabled: true, schedule };
}

async function plannedOf(task: Task, state: JobState, now: number): Promise<PlannedTask> {
  return {
    task,
    fileSlot: "1-aa",
    since: 1,
    anchor: await state.anchor(task.id, scheduleText(task.schedule), now),
    history: await state.history(task.id),
  };
}

interface Began {
  readonly occurrence: string;
  readonly task: string;
  readonly scheduledAt: number;
  readonly now: number;
}

/** One look of one scheduler that plans from what it saw, and claims later; what it won is appended. */
async function scan(
  { tasks, zone }: World,
  state: JobState,
  {
    now,
    stale,
    ends,
  }: { readonly now: number; readonly stale: readonly PlannedTask[]; readonly ends: boolean },
): Promise<{ readonly began: readonly Began[]; readonly seen: readonly PlannedTask[] }> {
  const seen = await Promise.all(tasks.map((task) => plannedOf(task, state, now)));
  const began: Began[] = [];
  const planned = stale.length > 0 ? stale : seen;
  for (const { filename, slot, scheduledAt } of plan(planned, { now, zone }).due) {
    const taskId = filename.replace(".md", "");
    const claim = await state.claim(
      createAttempt({ slot, taskId, filename, once: false, scheduledAt, claimedAt: now, session: "job-x" }),
    );
    if (claim === undefined) continue;
    const { newest } = await state.history(taskId);
    if (newest === scheduledAt)
      began.push({ occurrence: claim.attempt.occurrence, task: taskId, scheduledAt, now });
    if (ends) await state.finish(claim, { outcome: "completed", endedAt: now });
  }
  return { began, seen };
}

interface World {
  readonly tasks: readonly Task[];
  readonly zone: string;
}

const steps = fc.array(
  fc.record({
    // Forward in small and large steps, and back.
    move: fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 0, max: 7_200 }) },
      { weight: 2, arbitrary: fc.integer({ min: 7_200, max: 90 * 86_400 }) },
      { weight: 1, arbitrary: fc.integer({ min: -3 * 86_400, max: -1 }) },
    ),
    scheduler: fc.integer({ min: 0, max: 2 }),
    // Plans from what it saw in its look before, as a process does that was stopped in between.
    stale: fc.boolean(),
    // Leaves its claims open, as one that is running does.
    ends: fc.integer({ min: 0, max: 9 }).map((die) => die > 0),
  }),
  { minLength: 1, maxLength: 30 },
);

describe("the plan, over any schedules, zones and moves of the clock", () => {
  it("begins an occurrence at most once, none before its time, and of several that were missed the newest", async () => {
    const worlds = fc.record({
      schedules: fc.array(recurringSchedules, { minLength: 1, maxLength: 3 }),
      zone: fc.constantFrom(...ZONES),
      start: instants,
      steps,
    });
    await fc.assert(
      fc.asyncProperty(worlds, async ({ schedules, zone, start, steps: moves }) => {
        const world = { tasks: schedules.map((schedule, index) => taskOf(`t${index}`, schedule)), zone };
        const memory = new SharedMemory();
        const states = [0, 1, 2].map(() => createMemoryState(memory));
        const seenBefore: (readonly PlannedTask[])[] = [[], [], []];
        const all: Began[] = [];
        let now = start;
        for (const { move, scheduler, stale, ends } of moves) {
          now += move * 1_000;
          const state = states[scheduler];
          if (state === undefined) continue;
          const old = stale ? (seenBefore[scheduler] ?? []) : [];
          const { began, seen } = await scan(world, state, { now, stale: old, ends });
          seenBefore[scheduler] = seen;
          expect(new Set(began.map(({ task }) => task)).size).toBe(began.length);
          for (const one of began) {
            expect(one.scheduledAt).toBeLessThanOrEqual(now);
            await expectNewest(world, state, one);
          }
          all.push(...began);
        }
        expect(new Set(all.map(({ occurrence }) => occurrence)).size).toBe(all.length);
        expectAscending(all);
      }),
      { numRuns: 120 },
    );
  }, 120_000);
});

/** Nothing between what began and the time of the look was left out. */
async function expectNewest(
  { tasks, zone }: World,
  state: JobState,
  { task, scheduledAt, now }: Began,
): Promise<void> {
  const found = tasks.find(({ id }) => id === task);
  if (found === undefined || found.schedule.kind === "once") throw new Error("the task is not there");
  const schedule: RecurringSchedule = found.schedule;
  const anchor = (await state.seen(task, scheduleText(schedule))) ?? now;
  const next = nextOccurrence({ schedule, anchor, zone }, scheduledAt);
  expect(next ?? Infinity).toBeGreaterThan(now);
  expect(nextOccurrence({ schedule, anchor, zone }, scheduledAt - 1)).toBe(scheduledAt);
}

/** What was coalesced once never comes back, whatever the clock does. */
function expectAscending(all: readonly Began[]): void {
  const last = new Map<string, number>();
  for (const { task, scheduledAt } of all) {
    expect(scheduledAt).toBeGreaterThan(last.get(task) ?? Number.NEGATIVE_INFINITY);
    last.set(task, scheduledAt);
  }
}

describe("the plan", () => {
  const daily = taskOf("a", { kind: "at", minutes: [420], timezone: "UTC" });
  const none = { slots: new Set<string>(), open: new Set<string>() };
  const now = Date.parse("2027-01-11T09:00Z");
  const base = { fileSlot: "1-aa", since: 1, anchor: Date.parse("2027-01-01T00:00Z"), history: none };

  it("waits while an attempt of the same task has no end", () => {
    const newest = Date.parse("2027-01-10T07:00Z");
    const history = { newest, slots: new Set([String(newest)]), open: new Set([String(newest)]) };
    const { due, standings } = plan([{ ...base, task: daily, history }], { now, zone: "UTC" });
    expect(due).toEqual([]);
    expect(standings.get("a.md")).toEqual({
      kind: "running",
      next: Date.parse("2027-01-12T07:00Z"),
    });
  });

  it("says until when a clock that was set back holds a task up", () => {
    const newest = Date.parse("2028-01-10T07:00Z");
    const history = { newest, slots: new Set([String(newest)]), open: new Set<string>() };
    const { standings, next } = plan([{ ...base, task: daily, history }], { now, zone: "UTC" });
    expect(standings.get("a.md")).toEqual({ kind: "ahead", until: newest, next: undefined });
    expect(next).toBeUndefined();
  });

  it("admits nothing of a disabled task", () => {
    const { due, next } = plan([{ ...base, task: { ...daily, enabled: false } }], { now, zone: "UTC" });
    expect([due, next]).toEqual([[], undefined]);
  });

  it("runs a file once, and again when it comes back as another", () => {
    const once = taskOf("b", { kind: "once" });
    const done = { slots: new Set(["1-aa"]), open: new Set<string>() };
    const time = { now, zone: "UTC" };
    expect(plan([{ ...base, task: once }], time).due).toEqual([
      { filename: "b.md", slot: "1-aa", scheduledAt: 1 },
    ]);
    expect(plan([{ ...base, task: once, history: done }], time).due).toEqual([]);
    expect(plan([{ ...base, task: once, history: done, fileSlot: "2-bb" }], time).due).toHaveLength(1);
  });

  it("orders what is due by its time, and tells when the next one comes", () => {
    const later = taskOf("c", { kind: "at", minutes: [600], timezone: "UTC" });
    const early = taskOf("d", { kind: "at", minutes: [60], timezone: "UTC" });
    const { due, next } = plan(
      [daily, later, early].map((task) => ({
        ...base,
        task,
        history: { ...none, newest: Date.parse("2027-01-10T23:00Z") },
      })),
      { now, zone: "UTC" },
    );
    expect(due.map(({ filename }) => filename)).toEqual(["d.md", "a.md"]);
    expect(next).toBe(Date.parse("2027-01-11T10:00Z"));
  });
});
