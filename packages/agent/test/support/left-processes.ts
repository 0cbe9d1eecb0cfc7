import { readdirSync, readFileSync } from "node:fs";

/** Processes of this machine whose command line has the mark. */
export function processesWith(mark: string): readonly string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(mark);
      } catch {
        // It ended meanwhile.
        return false;
      }
    });
}

/** Timers that keep this process alive. */
export function openTimers(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === "Timeout" || kind === "Immediate").length;
}
