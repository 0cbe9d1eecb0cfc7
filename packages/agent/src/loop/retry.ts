import type { ErrorEvent } from "@ashlar/context";

export interface RetryPolicy {
  /** Attempts of one request, the first one included. */
  readonly attempts: number;
  /** Milliseconds before the second attempt; doubles from there. */
  readonly base: number;
  /** Milliseconds no wait passes. */
  readonly max: number;
}

export type RetryVerdict =
  | { readonly action: "fail" }
  /** The stored credentials may have changed. */
  | { readonly action: "reload" }
  | { readonly action: "retry"; readonly delayMs: number }
  /** The provider asked for more than the policy allows. */
  | { readonly action: "throttle"; readonly waitMs: number };

export interface FailedAttempt {
  readonly failure: ErrorEvent;
  /** Counted from 1. */
  readonly attempt: number;
  /** Were the credentials read again for this request already? */
  readonly reloaded: boolean;
  /** From 0 up to but not including 1. */
  readonly random: number;
}

const RETRIED_STATUS: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** What to do about a failed request. */
export function judgeFailure(attempt: FailedAttempt, policy: RetryPolicy): RetryVerdict {
  const { failure } = attempt;
  if (failure.kind === "auth") return { action: attempt.reloaded ? "fail" : "reload" };
  if (!isRetried(failure)) return { action: "fail" };
  const stated = Number.isNaN(failure.retryAfterMs) ? undefined : failure.retryAfterMs;
  if (stated !== undefined && stated > policy.max) return { action: "throttle", waitMs: stated };
  if (attempt.attempt >= policy.attempts) return { action: "fail" };
  return { action: "retry", delayMs: Math.max(stated ?? 0, backoff(attempt, policy)) };
}

/** Network failures, and the answers that time can heal. A verdict of the provider's own class wins. */
export function isRetried(failure: ErrorEvent): boolean {
  if (failure.cancelled === true || failure.kind === "cancelled" || failure.kind === "malformed")
    return false;
  if (failure.contextOverflow !== undefined) return false;
  if (failure.retryable !== undefined) return failure.retryable;
  if (failure.kind === "network") return true;
  const { status } = failure;
  return status !== undefined && (RETRIED_STATUS.has(status) || (status >= 500 && status <= 599));
}

/** Doubles from `base`, never above `max`, spread by up to a quarter of `base` against lockstep. */
function backoff({ attempt, random }: FailedAttempt, { base, max }: RetryPolicy): number {
  const grown = Math.min(max, base * 2 ** (attempt - 1));
  const spread = random * Math.min(base, max) * 0.25;
  return grown + spread <= max ? grown + spread : grown - spread;
}
