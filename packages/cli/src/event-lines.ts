import type { TextSink } from "./terminal.js";

/** Writes one event as one line: JSON never holds a raw line feed, so 0x0A alone ends a record. */
export function writeEvent(out: TextSink, event: object): void {
  out.write(`${JSON.stringify(event)}\n`);
}
