import type { Writable } from "node:stream";
import type { TextSink } from "./terminal.js";

/**
 * Writes to a stream once a tick, however many lines came in it. `closed` is told once when the reader has gone;
 * what is written after that is dropped, because there is nobody to read it.
 */
export function createTextSink(stream: Writable, closed: () => void): TextSink {
  let pending: string[] = [];
  let unfinished = 0;
  let gone = false;
  let failure: Error | undefined;
  const waiting: (() => void)[] = [];

  const settle = (): void => {
    if (!gone && unfinished + pending.length > 0) return;
    for (const resolve of waiting.splice(0)) resolve();
  };
  const send = (): void => {
    const text = pending.join("");
    pending = [];
    if (gone) return;
    unfinished += 1;
    stream.write(text, () => {
      unfinished -= 1;
      settle();
    });
  };

  stream.on("error", (error: Error) => {
    if (!gone) {
      // A reader that has seen enough is no failure.
      if (!("code" in error) || error.code !== "EPIPE") failure = error;
      closed();
    }
    gone = true;
    settle();
  });
  return {
    write(text) {
      if (gone) return;
      if (pending.length === 0) queueMicrotask(send);
      pending.push(text);
    },
    flush() {
      return new Promise((resolve) => {
        waiting.push(resolve);
        settle();
      });
    },
    failure: () => failure,
  };
}
