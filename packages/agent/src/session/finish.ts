import { errorText } from "../loop/tool-value.js";
import { FinishList } from "./finish-list.js";

/** The process's own; nothing is listened to before somebody registers something. */
const finish = new FinishList({
  once: (event, listener) => process.once(event, listener),
  off: (event, listener) => process.off(event, listener),
  exit: (code) => process.exit(code),
  report: (error) =>
    process.stderr.write(`A cleanup at the end of the process failed: ${errorText(error)}\n`),
});

/** Registers what has to be done, at once and without waiting, when the process ends. Gives the function that takes it back. */
export function finishAdd(cleanup: () => void): () => void {
  return finish.add(cleanup);
}

/** Does what was registered, now; each once, also when one throws. */
export function finishRun(): void {
  finish.run();
}

/**
 * From now on SIGINT, SIGTERM and SIGHUP end the process in order: agents with sessions are cancelled and closed, what was
 * registered is done, and the exit code is 130. A second signal does not wait. Gives the function that takes it back.
 */
export function finishSignalsArm(): () => void {
  return finish.arm();
}

/** Something that takes a moment to let go; a signal waits for it, the end of the process does not. */
export function finishClosing(close: () => Promise<void>): () => void {
  return finish.addClosing(close);
}
