import { AGENT_EVENT } from "../agent-events.js";
import { startTimer } from "../long-timer.js";
import type { ChildAgent } from "./children.js";

const HAND_OFF =
  "You are about to be closed. Begin nothing new. Answer now, without a tool call: what is done, what is not, and what whoever goes on has to know.";

/** How long a worker has to hand off, and what ends the waiting. */
export interface HandOffLimit {
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

export type HandOffEnd = "idle" | "finished" | "cancelled";

/** Closes an agent; one at work is asked to hand off first, and is cancelled when it does not in time. */
export async function closeAfterHandOff(
  worker: ChildAgent & { readonly send: (text: string) => void },
  limit: HandOffLimit,
): Promise<HandOffEnd> {
  let end: HandOffEnd = "idle";
  if (worker.busy) {
    worker.send(HAND_OFF);
    end = (await runEnds(worker, limit)) ? "finished" : "cancelled";
  }
  if (end === "cancelled") worker.cancel();
  await worker.close();
  return end;
}

/** False when the limit came first. */
async function runEnds(worker: ChildAgent, { limitMs, signal }: HandOffLimit): Promise<boolean> {
  let release = (): void => {};
  try {
    return await new Promise<boolean>((resolve) => {
      const handles = [AGENT_EVENT.RESULT, AGENT_EVENT.CLOSED].map((event) =>
        worker.onEvent<unknown>(event, () => resolve(true)),
      );
      const stopTimer = startTimer(Math.max(0, limitMs), () => resolve(false));
      const abort = (): void => resolve(false);
      if (signal.aborted) abort();
      signal.addEventListener("abort", abort, { once: true });
      release = () => {
        stopTimer();
        signal.removeEventListener("abort", abort);
        for (const handle of handles) worker.offEvent(handle);
      };
    });
  } finally {
    release();
  }
}
