import { runWithDeadline, type WorkLimit } from "../dispatch/deadline.js";
import { boundText } from "../loop/bounded-text.js";
import { errorText } from "../loop/tool-value.js";
import type { Hook, HookName } from "./interceptor-chain.js";

/** What a model and a person read of a hook. */
export const MAX_REASON_CHARACTERS = 2_000;

export type HookAnswer<T> =
  | { readonly type: "reply"; readonly reply: T }
  /** It threw, took too long, or said something that cannot be understood. */
  | { readonly type: "failed"; readonly problem: string }
  | { readonly type: "cancelled" };

export interface HookQuestion<K extends HookName, T> {
  readonly hook: Hook<K>;
  readonly kind: K;
  /** Builds what the hook is asked. */
  readonly payload: (limit: WorkLimit) => Parameters<Hook<K>["ask"]>[0];
  /** Understands the reply; throws for what makes no sense. */
  readonly read: (reply: unknown) => T;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Asks one hook. Never rejects, and never waits longer than the time or the run. */
export async function askHook<K extends HookName, T>(question: HookQuestion<K, T>): Promise<HookAnswer<T>> {
  const { hook, kind, payload, read, timeoutMs, signal } = question;
  const failed = (what: string): HookAnswer<T> => ({
    type: "failed",
    problem: boundText(`the hook ${kind} of ${JSON.stringify(hook.name)} ${what}`, MAX_REASON_CHARACTERS),
  });
  try {
    const result = await runWithDeadline<unknown>({
      // The compiler cannot see that a hook takes the payload of its own kind.
      work: async (limit) => (hook.ask as (asked: unknown) => unknown)(payload(limit)),
      timeoutMs,
      signal,
      onTimeout: undefined,
      graceMs: 0,
    });
    if (result.type === "cancelled") return result;
    if (result.type === "timeout") return failed(`gave no answer within ${timeoutMs} ms`);
    return { type: "reply", reply: read(result.value) };
  } catch (error) {
    return failed(`failed: ${errorText(error)}`);
  }
}
