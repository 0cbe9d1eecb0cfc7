import { setTimeout as sleep } from "node:timers/promises";

const GRACE_MS = 1000;
const POLL_MS = 20;

/** Is there any process in the group that `pid` led? */
export function groupLives(pid: number): boolean {
  return send(pid, 0);
}

/** Asks the whole group to end, and after a second makes it. */
export async function terminateGroup(pid: number): Promise<void> {
  if (!send(pid, "SIGTERM")) return;
  const end = Date.now() + GRACE_MS;
  while (Date.now() < end) {
    await sleep(POLL_MS);
    if (!groupLives(pid)) return;
  }
  send(pid, "SIGKILL");
}

/** False when there is nobody to send it to. */
function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch (cause) {
    // ESRCH: nobody is left. EPERM: what is left belongs to somebody else and is out of reach.
    if (cause instanceof Error && "code" in cause && (cause.code === "ESRCH" || cause.code === "EPERM"))
      return false;
    throw cause;
  }
}
