import { dirname } from "node:path";
import type { JobsFolder } from "../folder/jobs-folder.js";
import type { Clock } from "./clock.js";

/** Milliseconds a file has to stay the same before a change counts: a task should be read when it was written to its end. */
const SETTLED_MS = 200;
/** However far the next occurrence is: clocks move, and not every file system tells of changes. */
export const LONGEST_WAIT_MS = 300_000;
/** Shorter waits would only measure how late timers are. */
const SHORTEST_WAIT_MS = 20;

/** How often a clock is looked at that somebody sets; watchers miss two changes within one millisecond. */
const CLOCK_LOOK_MS = 100;

/** Says when it is time to look at the tasks again. */
export interface Wake {
  /** Resolves after so many milliseconds, at the latest after five minutes; earlier on a change, or on the signal. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Watches the tasks, the folder itself and a clock that stands until somebody sets it. Loads its library on first use. */
export async function createWake(folder: JobsFolder, clock: Clock): Promise<Wake> {
  // First, because it may throw, and nothing is open yet.
  let shown = clock.now();
  const { watch } = await import("chokidar");
  let changed = false;
  let wakeUp = (): void => undefined;
  const change = (): void => {
    changed = true;
    wakeUp();
  };
  const options = { depth: 0, ignoreInitial: true, followSymlinks: false };
  const settled = { stabilityThreshold: SETTLED_MS, pollInterval: SETTLED_MS / 4 };
  // A file that goes away starts nothing, and it is what a run of ours does to it.
  const tasks = watch(folder.tasks, { ...options, awaitWriteFinish: settled })
    .on("add", change)
    .on("change", change);
  const root = dirname(folder.path);
  const above = watch(root, { ...options, ignored: (path) => path !== root && path !== folder.path }).on(
    "unlinkDir",
    change,
  );
  const watchers = [tasks, above];
  // A watch that fails leaves the timer, which looks anyway.
  await Promise.all(
    watchers.map(
      (watcher) =>
        new Promise<void>((resolve) => {
          watcher.on("error", () => resolve()).once("ready", resolve);
        }),
    ),
  );
  const ticking =
    clock.file === undefined
      ? undefined
      : setInterval(() => {
          if (clock.now() === shown) return;
          shown = clock.now();
          change();
        }, CLOCK_LOOK_MS);
  return {
    wait: async (milliseconds, signal) => {
      const wait = Math.min(Math.max(milliseconds, SHORTEST_WAIT_MS), LONGEST_WAIT_MS);
      if (!changed && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const done = (): void => {
            clearTimeout(timer);
            signal.removeEventListener("abort", done);
            resolve();
          };
          const timer = setTimeout(done, wait);
          wakeUp = done;
          signal.addEventListener("abort", done, { once: true });
        });
      }
      changed = false;
      wakeUp = () => undefined;
    },
    close: async () => {
      clearInterval(ticking);
      await Promise.all(watchers.map((watcher) => watcher.close()));
    },
  };
}
