import { openJobsFolder } from "../folder/jobs-folder.js";
import { isJobsError } from "../jobs-error.js";
import type { DaemonEnd, DaemonOptions } from "../jobs-options.js";
import type { Scan } from "../run/scan.js";
import { SYSTEM_CLOCK } from "./clock.js";
import { createWake, LONGEST_WAIT_MS } from "./wake.js";

/** One look at the tasks; undefined: the folder is not there any more. */
export type ScanOnce = (signal: AbortSignal) => Promise<Scan>;

/**
 * Looks, waits for the next occurrence or a change, and looks again, until the signal fires or the folder vanishes. A
 * change never ends a running job: it is looked at when that has ended.
 */
export async function runDaemon(
  root: string,
  options: DaemonOptions,
  scanOnce: ScanOnce,
): Promise<DaemonEnd> {
  const { clock = SYSTEM_CLOCK, signal = new AbortController().signal, onScan } = options;
  // Whoever starts it in a project without jobs has made a mistake, and is told so.
  const wake = await createWake(await openJobsFolder(root), clock.file);
  try {
    while (!signal.aborted) {
      const scan = await scanIfThere(() => scanOnce(signal));
      if (scan === undefined) return "disabled";
      const { next, ...record } = scan;
      onScan?.(record);
      await wake.wait(next === undefined ? LONGEST_WAIT_MS : next - clock.now(), signal);
    }
    return "cancelled";
  } finally {
    await wake.close();
  }
}

async function scanIfThere(scan: () => Promise<Scan>): Promise<Scan | undefined> {
  try {
    return await scan();
  } catch (error) {
    if (isJobsError(error) && (error.kind === "disabled" || isGone(error.details))) return undefined;
    throw error;
  }
}

/** The folder went away in the middle of a look. */
function isGone(details: object): boolean {
  return "code" in details && details.code === "ENOENT";
}
