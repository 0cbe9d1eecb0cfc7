import { expect } from "vitest";
import { type Attempt, createAttempt } from "../../src/state/attempt.js";
import type { JobState } from "../../src/state/job-state.js";

/** Makes the state of several schedulers over one store. */
export interface StateSubject {
  /** A new scheduler over the same store; each call is another process, or as good as one. */
  readonly open: () => Promise<JobState>;
  /** Ends a scheduler without a word. */
  readonly kill: (state: JobState) => Promise<void>;
  /** A new, empty store. */
  readonly reset: () => Promise<void>;
}

const NOW = Date.parse("2027-01-05T12:00:00Z");

export function attemptAt(scheduledAt: number, facts: Partial<Attempt> = {}): Attempt {
  const { taskId = "report", once = false, slot = String(scheduledAt) } = facts;
  return createAttempt({
    slot,
    taskId,
    filename: `${taskId}.md`,
    once,
    scheduledAt,
    claimedAt: facts.claimedAt ?? NOW,
    session: facts.session ?? `job-${slot}`,
  });
}

/** One thing that every state has to do, so that a scheduler may rely on it. */
export interface JobStateCase {
  readonly name: string;
  /** Rejects with what is wrong. */
  readonly check: (subject: StateSubject) => Promise<void>;
}

export const jobStateCases: readonly JobStateCase[] = [
  {
    name: "gives an occurrence to one of many schedulers",
    check: async (subject) => {
      await subject.reset();
      const states = await Promise.all(Array.from({ length: 8 }, () => subject.open()));
      const claims = await Promise.all(states.map((state) => state.claim(attemptAt(NOW))));
      expect(claims.filter((claim) => claim !== undefined)).toHaveLength(1);
      expect(await states[0]?.claim(attemptAt(NOW))).toBeUndefined();
    },
  },
  {
    name: "keeps a claim taken when its attempt has ended",
    check: async (subject) => {
      await subject.reset();
      const state = await subject.open();
      const claim = await state.claim(attemptAt(NOW));
      if (claim === undefined) throw new Error("the first claim was refused");
      await state.finish(claim, { outcome: "failed", endedAt: NOW + 1, error: "no" });
      expect(await (await subject.open()).claim(attemptAt(NOW))).toBeUndefined();
    },
  },
  {
    name: "numbers attempts so that no two are alike",
    check: async (subject) => {
      await subject.reset();
      const states = await Promise.all(Array.from({ length: 4 }, () => subject.open()));
      const claims = await Promise.all(
        Array.from({ length: 40 }, (_, index) => states[index % 4]?.claim(attemptAt(NOW + index))),
      );
      const numbers = claims.map((claim) => claim?.number ?? "");
      expect(new Set(numbers).size).toBe(40);
      for (const number of numbers) expect(number).toMatch(/^\d{4}-\d{2}-\d{2} \d{3,}$/u);
    },
  },
  {
    name: "keeps the first anchor of a schedule for everybody",
    check: async (subject) => {
      await subject.reset();
      const [one, other] = [await subject.open(), await subject.open()];
      expect(await one.seen("report", "every 30m")).toBeUndefined();
      const anchors = await Promise.all([
        one.anchor("report", "every 30m", NOW),
        other.anchor("report", "every 30m", NOW + 5),
      ]);
      expect(new Set(anchors).size).toBe(1);
      expect([NOW, NOW + 5]).toContain(anchors[0]);
      expect(await other.anchor("report", "every 30m", NOW + 99)).toBe(anchors[0]);
      expect(await other.seen("report", "every 30m")).toBe(anchors[0]);
      expect(await other.anchor("report", "every 31m", NOW + 99)).toBe(NOW + 99);
    },
  },
  {
    name: "tells the newest occurrence, what was claimed and what has no end",
    check: async (subject) => {
      await subject.reset();
      const [one, other] = [await subject.open(), await subject.open()];
      expect(await one.history("report")).toEqual({ slots: new Set(), open: new Set() });
      const early = await one.claim(attemptAt(NOW - 5));
      await other.claim(attemptAt(NOW));
      await other.claim(attemptAt(NOW + 9, { once: true, slot: `${NOW + 9}-abc` }));
      await other.claim(attemptAt(NOW + 7, { taskId: "other" }));
      if (early === undefined) throw new Error("the first claim was refused");
      await one.finish(early, { outcome: "completed", endedAt: NOW });
      expect(await other.history("report")).toEqual({
        newest: NOW,
        slots: new Set([String(NOW - 5), String(NOW), `${NOW + 9}-abc`]),
        open: new Set([String(NOW), `${NOW + 9}-abc`]),
      });
    },
  },
  {
    name: "loses what a dead scheduler had, and only that",
    check: async (subject) => {
      await subject.reset();
      const [dying, living] = [await subject.open(), await subject.open()];
      const lost = await dying.claim(attemptAt(NOW, { taskId: "lost" }));
      await living.claim(attemptAt(NOW, { taskId: "alive" }));
      const ended = await dying.claim(attemptAt(NOW, { taskId: "ended" }));
      if (lost === undefined || ended === undefined) throw new Error("a first claim was refused");
      await dying.finish(ended, { outcome: "completed", endedAt: NOW });
      expect(await living.lost(NOW)).toEqual([]);
      await subject.kill(dying);
      expect(await living.lost(NOW)).toEqual([lost]);
      await living.finish(lost, { outcome: "interrupted", endedAt: NOW });
      expect(await living.lost(NOW)).toEqual([]);
      expect((await living.history("lost")).open.size).toBe(0);
      expect(await living.claim(attemptAt(NOW, { taskId: "lost" }))).toBeUndefined();
    },
  },
  {
    name: "takes the owner's word over that of whoever thought it dead",
    check: async (subject) => {
      await subject.reset();
      const [slow, hasty] = [await subject.open(), await subject.open()];
      const claim = await slow.claim(attemptAt(NOW));
      if (claim === undefined) throw new Error("the first claim was refused");
      await hasty.finish(claim, { outcome: "interrupted", endedAt: NOW });
      await slow.finish(claim, { outcome: "completed", endedAt: NOW + 1 });
      await hasty.finish(claim, { outcome: "interrupted", endedAt: NOW + 2 });
      expect((await hasty.list(1))[0]?.end?.outcome).toBe("completed");
    },
  },
  {
    name: "lists the newest records first, with the ends they have",
    check: async (subject) => {
      await subject.reset();
      const state = await subject.open();
      const first = await state.claim(attemptAt(NOW));
      await state.claim(attemptAt(NOW + 1));
      if (first === undefined) throw new Error("the first claim was refused");
      const end = { outcome: "failed", endedAt: NOW + 2, error: "why", exitCode: 3 } as const;
      await state.finish(first, end);
      const listed = await (await subject.open()).list(10);
      expect(listed.map(({ attempt, end: found }) => [attempt.scheduledAt, found])).toEqual([
        [NOW + 1, undefined],
        [NOW, end],
      ]);
      expect(await state.list(1)).toHaveLength(1);
    },
  },
  {
    name: "forgets nothing that still decides",
    check: async (subject) => {
      await subject.reset();
      const state = await subject.open();
      for (let index = 0; index < 70; index += 1) {
        const claim = await state.claim(attemptAt(NOW + index));
        if (claim === undefined) throw new Error("a first claim was refused");
        await state.finish(claim, { outcome: "completed", endedAt: NOW });
      }
      await state.prune(new Set(["report"]), NOW + 100);
      expect((await state.history("report")).newest).toBe(NOW + 69);
      expect(await state.claim(attemptAt(NOW + 69))).toBeUndefined();
    },
  },
];
