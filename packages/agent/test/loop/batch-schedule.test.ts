import { BatchSchedule } from "@ashlar/agent/loop";
import fc from "fast-check";
import { expect, it } from "vitest";

/** Starts all that may start, finishing one running call at a time as `pick` says. */
function simulate(
  pooled: readonly boolean[],
  concurrency: number,
  pick: (running: readonly number[]) => number,
) {
  const schedule = new BatchSchedule(pooled, concurrency);
  const running: number[] = [];
  const finished: number[] = [];
  const overlaps: (readonly [number, number])[] = [];
  let most = 0;
  for (;;) {
    for (let place = schedule.next(); place !== undefined; place = schedule.next()) {
      for (const other of running) overlaps.push([other, place]);
      running.push(place);
    }
    most = Math.max(most, running.length);
    if (running.length === 0) return { finished, overlaps, most };
    const [place] = running.splice(pick(running) % running.length, 1);
    finished.push(place ?? -1);
    schedule.finish();
  }
}

it("is a rolling pool: one slow call does not hold the others", () => {
  const { finished } = simulate([true, true, true, true, true, true], 3, (running) => running.length - 1);
  expect(finished).toEqual([2, 3, 4, 5, 1, 0]);
});

it("keeps every rule, whatever the batch and the order in which calls finish", () => {
  const batches = fc.array(fc.boolean(), { maxLength: 40 });
  fc.assert(
    fc.property(
      batches,
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.nat(7)),
      (pooled, concurrency, picks) => {
        let turn = 0;
        const { finished, overlaps, most } = simulate(
          pooled,
          concurrency,
          () => picks[turn++ % (picks.length || 1)] ?? 0,
        );
        expect([...finished].sort((a, b) => a - b)).toEqual(pooled.map((_, index) => index));
        expect(most).toBeLessThanOrEqual(concurrency);
        for (const [first, second] of overlaps) {
          // Calls that overlapped are of one row of pooled calls.
          expect(pooled.slice(first, second + 1).every(Boolean)).toBe(true);
        }
      },
    ),
  );
});
