import { describe, expect, it } from "vitest";
import { type DeadlineOptions, runWithDeadline, type WorkLimit } from "../../src/dispatch/deadline.js";

const never = new Promise<string>(() => {});
const after = (ms: number, value = "done") =>
  new Promise<string>((resolve) => setTimeout(resolve, ms, value));
const run = (options: Partial<DeadlineOptions<string>>) =>
  runWithDeadline<string>({
    work: () => never,
    timeoutMs: 5_000,
    signal: new AbortController().signal,
    onTimeout: undefined,
    graceMs: 5_000,
    ...options,
  });

describe("work with a deadline", () => {
  it("gives its value", async () => {
    expect(await run({ work: () => after(1) })).toEqual({ type: "value", value: "done" });
  });

  it("passes its rejection on", async () => {
    const failing = run({ work: () => Promise.reject(new Error("disk full")) });
    await expect(failing).rejects.toMatchObject({ message: "disk full" });
  });

  it("is told to stop when its time is up, and left behind", async () => {
    let seen: WorkLimit | undefined;
    const result = await run({
      timeoutMs: 10,
      work: (limit) => {
        seen = limit;
        return never;
      },
    });
    expect(result).toEqual({ type: "timeout", value: undefined });
    expect(seen?.signal.reason).toMatchObject({ name: "TimeoutError" });
  });

  it("has a last word when it asked for one", async () => {
    expect(await run({ timeoutMs: 5, onTimeout: () => after(1, "partial") })).toEqual({
      type: "timeout",
      value: "partial",
    });
  });

  it("has no last word without end", async () => {
    expect(await run({ timeoutMs: 5, graceMs: 5, onTimeout: () => never })).toEqual({
      type: "timeout",
      value: undefined,
    });
  });

  it("is released at once when it is cancelled, whatever it does", async () => {
    const abort = new AbortController();
    const running = run({ signal: abort.signal });
    abort.abort();
    expect(await running).toEqual({ type: "cancelled" });
  });

  it("is released while its last word is awaited", async () => {
    const abort = new AbortController();
    const running = run({ timeoutMs: 1, signal: abort.signal, onTimeout: () => never });
    await after(20);
    abort.abort();
    expect(await running).toEqual({ type: "cancelled" });
  });

  it("does not begin after the cancel", async () => {
    const abort = new AbortController();
    abort.abort();
    let began = false;
    const result = await run({
      signal: abort.signal,
      work: () => {
        began = true;
        return never;
      },
    });
    expect([result, began]).toEqual([{ type: "cancelled" }, false]);
  });

  it("may fail after it was left behind without anybody hearing of it", async () => {
    const result = await run({
      timeoutMs: 5,
      work: () => after(15).then(() => Promise.reject(new Error("late"))),
    });
    expect(result.type).toBe("timeout");
    await after(30);
  });

  it("does not lose time while a person answers", async () => {
    const deadlines: number[] = [];
    const result = await run({
      timeoutMs: 60,
      work: async (limit) => {
        deadlines.push(limit.deadline());
        await limit.pauseFor(after(120));
        deadlines.push(limit.deadline());
        return "asked";
      },
    });
    expect(result).toEqual({ type: "value", value: "asked" });
    expect((deadlines[1] ?? 0) - (deadlines[0] ?? 0)).toBeGreaterThanOrEqual(100);
  });

  it("leaves no listener on the signal of the run", async () => {
    const { signal } = new AbortController();
    const added: unknown[] = [];
    const removed: unknown[] = [];
    const { addEventListener, removeEventListener } = signal;
    Object.assign(signal, {
      addEventListener: (type: string, listener: () => void, options: { once: boolean }) => {
        added.push(listener);
        addEventListener.call(signal, type, listener, options);
      },
      removeEventListener: (type: string, listener: () => void) => {
        removed.push(listener);
        removeEventListener.call(signal, type, listener);
      },
    });
    await run({ signal, work: () => after(1) });
    await run({ signal, timeoutMs: 1 });
    expect(added).toHaveLength(2);
    expect(removed).toEqual(added);
  });
});
