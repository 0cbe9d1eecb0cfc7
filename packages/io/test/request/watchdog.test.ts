import { describe, expect, it } from "vitest";
import type { IOError } from "../../src/io-error.js";
import { Watchdog } from "../../src/request/watchdog.js";
import type { Limits } from "../../src/timeouts.js";
import { ManualClock } from "../manual-clock.js";

const limits: Limits = { connectMs: undefined, firstEventMs: 1000, idleMs: 100, overallMs: 5000 };

function watch(changed: Partial<Limits> = {}, isBusy: () => boolean = () => false) {
  const clock = new ManualClock();
  const errors: IOError[] = [];
  const onExpire = (error: IOError) => errors.push(error);
  const watchdog = new Watchdog({
    clock,
    limits: { ...limits, ...changed },
    selector: "e/m",
    onExpire,
    isBusy,
  });
  return { clock, errors, watchdog };
}

describe("the limits of a request", () => {
  it("wait long for the first event and then short for each next one", () => {
    const { clock, errors, watchdog } = watch();
    clock.advance(999);
    expect(errors).toEqual([]);
    watchdog.progress();
    clock.advance(99);
    expect(errors).toEqual([]);
    clock.advance(1);
    expect(errors.map(({ kind, details }) => ({ kind, details }))).toEqual([
      { kind: "network", details: { code: "timeout", limit: "stuckTimeout" } },
    ]);
  });

  it("name the limit, how long it is and its setting", () => {
    const { clock, errors } = watch();
    clock.advance(1000);
    expect(errors[0]?.message).toContain("1000 ms");
    expect(errors[0]?.message).toContain('"firstEventTimeout"');
    expect(errors[0]?.message).toContain("timeouts.firstEventMs");
  });

  it("end a stream that goes on for ever", () => {
    const { clock, errors, watchdog } = watch();
    for (let event = 0; event < 200; event++) {
      watchdog.progress();
      clock.advance(50);
    }
    expect(errors.map(({ details }) => details)).toEqual([{ code: "timeout", limit: "timeout" }]);
  });

  it("let a busy provider be silent, until the whole is too long", () => {
    let busy = true;
    const { clock, errors, watchdog } = watch({}, () => busy);
    watchdog.progress();
    clock.advance(1000);
    expect(errors).toEqual([]);
    busy = false;
    clock.advance(100);
    expect(errors).toHaveLength(1);
  });

  it("do not count the time in which the reader of the events is slow", () => {
    const { clock, errors, watchdog } = watch();
    watchdog.progress();
    watchdog.pause();
    clock.advance(2000);
    watchdog.resume();
    clock.advance(99);
    expect(errors).toEqual([]);
    clock.advance(1);
    expect(errors).toHaveLength(1);
  });

  it("of 0 are no limits", () => {
    const { clock, errors, watchdog } = watch({ firstEventMs: 0, idleMs: 0, overallMs: 0 });
    watchdog.progress();
    clock.advance(1e12);
    expect(errors).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it("cost no timer for an event", () => {
    const { clock, watchdog } = watch({ overallMs: 0 });
    for (let event = 0; event < 10_000; event++) {
      clock.advance(1);
      watchdog.progress();
    }
    expect(clock.set).toBeLessThan(250);
  });

  it("leave no timer behind", () => {
    const { clock, watchdog } = watch();
    watchdog.progress();
    watchdog.stop();
    expect(clock.pending).toBe(0);
  });
});
