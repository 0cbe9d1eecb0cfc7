import type { ToolContext } from "@ashlar/context/tool";

/** What ending a command takes, so that its output is still there when the host's own limit comes. */
const ENDING_MS = 1500;
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface TimeLimit {
  /** Fires when the call is cancelled or its time is up. */
  readonly signal: AbortSignal;
  readonly isUp: boolean;
  /** Says so when the time was up. */
  readonly notes: readonly string[];
  readonly release: () => void;
}

/** Ends a command a little before the host would, so that what it printed is not lost. */
export function startTimeLimit(timeoutMs: number | undefined, { signal, deadline }: ToolContext): TimeLimit {
  const now = Date.now();
  const given = deadline - now;
  const untilDeadline = given - Math.min(ENDING_MS, given / 4);
  const limitMs = Math.max(0, Math.min(timeoutMs ?? Number.POSITIVE_INFINITY, untilDeadline, MAX_TIMER_MS));
  const own = new AbortController();
  const timer = setTimeout(() => {
    if (!signal.aborted) own.abort(new DOMException("The time of the command is up.", "TimeoutError"));
  }, limitMs);
  return {
    signal: AbortSignal.any([signal, own.signal]),
    get isUp() {
      return own.signal.aborted;
    },
    get notes() {
      if (!own.signal.aborted) return [];
      return [
        `Ended after ${Math.round(limitMs / 100) / 10} s, because its time was up. Give it more with timeout, or let it go on with background: true.`,
      ];
    },
    release: () => clearTimeout(timer),
  };
}
