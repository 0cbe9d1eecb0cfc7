import type { AgentRuntime } from "./run/run-host.js";

/** The system's clock and chance. */
export const SYSTEM_RUNTIME: AgentRuntime = Object.freeze({
  now: () => Date.now(),
  random: () => Math.random(),
  wait: (milliseconds: number, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (signal.aborted) return resolve();
      const finish = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", finish);
        resolve();
      };
      const timer = setTimeout(finish, milliseconds);
      signal.addEventListener("abort", finish, { once: true });
    }),
});
