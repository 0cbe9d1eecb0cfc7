import { startTimer } from "./long-timer.js";
import type { AgentRuntime } from "./run/run-host.js";

/** The system's clock and chance. */
export const SYSTEM_RUNTIME: AgentRuntime = Object.freeze({
  now: () => Date.now(),
  random: () => Math.random(),
  wait: (milliseconds: number, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (signal.aborted) return resolve();
      const finish = (): void => {
        stop();
        signal.removeEventListener("abort", finish);
        resolve();
      };
      const stop = startTimer(milliseconds, finish);
      signal.addEventListener("abort", finish, { once: true });
    }),
});
