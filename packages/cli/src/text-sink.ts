import type { Writable } from "node:stream";
import type { TextSink } from "./terminal.js";

/**
 * Writes to a stream once a tick, however many lines came in it. `closed` is told once when the reader has gone;
 * what is written after that is dropped, because there is nobody to read it.
 */
export function createTextSink(stream: Writable, closed: () => void): TextSink {
  let pending: string[] = [];
  let scheduled = false;
  let gone = false;
  const waiting: (() => void)[] = [];

  const settle = (): void => {
    for (const resolve of waiting.splice(0)) resolve();
  };
  stream.on("error", () => {
    if (!gone) closed();
    gone = true;
    pending = [];
    settle();
  });

  const send = (): void => {
    scheduled = false;
    if (gone) {
      settle();
      return;
    }
    const text = pending.join("");
    pending = [];
    stream.write(text, () => {
      if (!scheduled) settle();
    });
  };

  return {
    write(text) {
      if (gone) return;
      pending.push(text);
      if (scheduled) return;
      scheduled = true;
      queueMicrotask(send);
    },
    flush() {
      if (gone) return Promise.resolve();
      return new Promise((resolve) => {
        waiting.push(resolve);
        // An empty write calls back behind everything written before it.
        if (!scheduled) stream.write("", settle);
      });
    },
  };
}
