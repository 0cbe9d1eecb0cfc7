import { openJobsFolder } from "../folder/jobs-folder.js";
import type { ScanRecord } from "../folder/scan-records.js";
import { isJobsError } from "../jobs-error.js";
import type { DaemonEnd, DaemonOptions } from "../jobs-options.js";
import type { Scan } from "../run/scan.js";
import { SYSTEM_CLOCK } from "./clock.js";
import { createWake, LONGEST_WAIT_MS } from "./wake.js";

const AGAIN_AFTER_MS = 1_000;

/** One look at the tasks. */
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
  const wake = await createWake(await openJobsFolder(root), clock);
  try {
    while (!signal.aborted) {
      const scan = await scanIfThere(root, () => scanOnce(signal));
      if (scan === "gone") return "disabled";
      if (scan !== "broken") onScan?.(recordOf(scan));
      await wake.wait(waitAfter(scan, clock.now()), signal);
    }
    return "cancelled";
  } finally {
    await wake.close();
  }
}

function recordOf({ next: _next, ...record }: Scan): ScanRecord {
  return record;
}

function waitAfter(scan: Scan | "broken", now: number): number {
  if (scan === "broken") return AGAIN_AFTER_MS;
  return scan.next === undefined ? LONGEST_WAIT_MS : scan.next - now;
}

/** `broken`: a part of the folder went away in the middle of a look; the next look makes it again. */
async function scanIfThere(root: string, scan: () => Promise<Scan>): Promise<Scan | "gone" | "broken"> {
  try {
    return await scan();
  } catch (error) {
    if (!isJobsError(error)) throw error;
    if (error.kind === "disabled") return "gone";
    if (!("code" in error.details) || error.details.code !== "ENOENT") throw error;
    return (await isEnabled(root)) ? "broken" : "gone";
  }
}

async function isEnabled(root: string): Promise<boolean> {
  try {
    await openJobsFolder(root);
    return true;
  } catch (error) {
    if (isJobsError(error) && error.kind === "disabled") return false;
    throw error;
  }
}
