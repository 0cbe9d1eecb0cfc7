import { isRetried, judgeFailure } from "@ashlar/agent/loop";
import type { ErrorEvent } from "@ashlar/context";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const policy = { attempts: 3, base: 2_000, max: 30_000 };
const failed = (failure: Partial<ErrorEvent>): ErrorEvent => ({ type: "error", error: "x", ...failure });
const judge = (failure: Partial<ErrorEvent>, attempt = 1, random = 0) =>
  judgeFailure({ failure: failed(failure), attempt, reloaded: false, random }, policy);

describe("what is sent again", () => {
  it.each([
    { why: "the network", failure: { kind: "network" }, again: true },
    { why: "a request timeout", failure: { kind: "provider", status: 408 }, again: true },
    { why: "a conflict", failure: { kind: "provider", status: 409 }, again: true },
    { why: "too early", failure: { kind: "provider", status: 425 }, again: true },
    { why: "a rate limit", failure: { kind: "provider", status: 429 }, again: true },
    { why: "a server error", failure: { kind: "provider", status: 503 }, again: true },
    { why: "overload with a status of its own", failure: { kind: "provider", status: 529 }, again: true },
    {
      why: "a failure the provider class calls passing",
      failure: { kind: "provider", retryable: true },
      again: true,
    },
    { why: "a bad request", failure: { kind: "provider", status: 400 }, again: false },
    { why: "a missing model", failure: { kind: "provider", status: 404 }, again: false },
    { why: "a payload too large", failure: { kind: "provider", status: 413 }, again: false },
    { why: "a failure of no known kind", failure: { kind: "provider" }, again: false },
    { why: "broken data", failure: { kind: "malformed", status: 500 }, again: false },
    { why: "a cancel", failure: { kind: "cancelled", cancelled: true }, again: false },
    {
      why: "an overflow, whatever its status",
      failure: { kind: "provider", status: 500, contextOverflow: {} },
      again: false,
    },
    { why: "a used up quota", failure: { kind: "provider", status: 429, retryable: false }, again: false },
  ] as const)("$why: $again", ({ failure, again }) => {
    expect(isRetried(failed(failure))).toBe(again);
    expect(judge(failure).action).toBe(again ? "retry" : "fail");
  });

  it("reads credentials again once for an auth failure, and never waits for one", () => {
    const failure = failed({ kind: "auth", status: 401, retryAfterMs: 5 });
    expect(judgeFailure({ failure, attempt: 1, reloaded: false, random: 0 }, policy)).toEqual({
      action: "reload",
    });
    expect(judgeFailure({ failure, attempt: 1, reloaded: true, random: 0 }, policy)).toEqual({
      action: "fail",
    });
  });

  it("gives up after the last attempt", () => {
    expect(judge({ kind: "network" }, 2).action).toBe("retry");
    expect(judge({ kind: "network" }, 3).action).toBe("fail");
  });
});

describe("how long it waits", () => {
  it.each([
    { why: "doubles from the base", attempt: 1, retryAfterMs: undefined, delayMs: 2_000 },
    { why: "doubles", attempt: 2, retryAfterMs: undefined, delayMs: 4_000 },
    { why: "a stated wait beyond the backoff counts", attempt: 1, retryAfterMs: 7_000, delayMs: 7_000 },
    { why: "a stated 0 is no reason for a hot loop", attempt: 2, retryAfterMs: 0, delayMs: 4_000 },
    { why: "a wait that is no number", attempt: 1, retryAfterMs: Number.NaN, delayMs: 2_000 },
    { why: "the longest allowed wait", attempt: 1, retryAfterMs: 30_000, delayMs: 30_000 },
  ])("$why", ({ attempt, retryAfterMs, delayMs }) => {
    const failure = {
      kind: "provider",
      status: 429,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    } as const;
    expect(judge(failure, attempt)).toEqual({ action: "retry", delayMs });
  });

  it("does not wait for more than the policy allows", () => {
    const failure = { kind: "provider", status: 429, retryAfterMs: 30_001 } as const;
    expect(judge(failure)).toEqual({ action: "throttle", waitMs: 30_001 });
    expect(judge({ ...failure, status: 400 })).toEqual({ action: "fail" });
  });

  it("stays between the backoff and the cap, with at most a quarter of the base as spread", () => {
    const number = fc.integer({ min: 1, max: 1_000_000 });
    const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(number, number, fc.integer({ min: 1, max: 30 }), fraction, (base, max, attempt, random) => {
        const failure = failed({ kind: "network" });
        const verdict = judgeFailure(
          { failure, attempt, reloaded: false, random },
          { attempts: 99, base, max },
        );
        if (verdict.action !== "retry") throw new Error(verdict.action);
        const grown = Math.min(max, base * 2 ** (attempt - 1));
        expect(verdict.delayMs).toBeLessThanOrEqual(max);
        expect(Math.abs(verdict.delayMs - grown)).toBeLessThanOrEqual(base / 4);
        expect(verdict.delayMs).toBeGreaterThan(0);
      }),
    );
  });
});
