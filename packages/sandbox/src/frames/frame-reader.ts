import { GrowingBytes } from "../bytes/growing-bytes.js";

/** A line that is no frame. */
export interface MalformedLine {
  readonly reason: "too-long" | "not-json" | "cut-off";
  /** Its length, without the line end. */
  readonly bytes: number;
  /** Its first characters, at most 200 bytes of them. */
  readonly start: string;
}

export type Frame = { readonly value: unknown } | { readonly malformed: MalformedLine };

const NEWLINE = 10;
const START_BYTES = 200;

/** Cuts a stream of JSON lines into frames, whatever the chunks. Holds at most `maxLineBytes` of an unfinished line. */
export class FrameReader {
  #maxLineBytes: number;
  readonly #line = new GrowingBytes();
  /** Of the unfinished line, dropped bytes included. */
  #bytes = 0;

  constructor(maxLineBytes: number) {
    this.#maxLineBytes = maxLineBytes;
  }

  /** For the lines to come. */
  limit(maxLineBytes: number): void {
    this.#maxLineBytes = maxLineBytes;
  }

  /** The frames that `chunk` completes, in order. Empty lines are none. */
  push(chunk: Uint8Array): readonly Frame[] {
    const frames: Frame[] = [];
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      this.#take(chunk.subarray(from, at));
      if (this.#bytes > 0) frames.push(this.#finish());
      from = at + 1;
    }
    this.#take(chunk.subarray(from));
    return frames;
  }

  /** What is left when the stream ends: a line without its end was cut off. */
  end(): readonly Frame[] {
    if (this.#bytes === 0) return [];
    const frame = this.#malformed("cut-off");
    this.#reset();
    return [frame];
  }

  #take(bytes: Uint8Array): void {
    this.#line.append(bytes.subarray(0, Math.max(0, this.#maxLineBytes - this.#bytes)));
    this.#bytes += bytes.length;
  }

  #finish(): Frame {
    const frame = this.#bytes > this.#maxLineBytes ? this.#malformed("too-long") : this.#parsed();
    this.#reset();
    return frame;
  }

  #parsed(): Frame {
    try {
      const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(this.#line.view()));
      return { value };
    } catch {
      // Neither UTF-8 nor JSON: said in the frame.
      return this.#malformed("not-json");
    }
  }

  #malformed(reason: MalformedLine["reason"]): Frame {
    const start = new TextDecoder().decode(this.#line.view().subarray(0, START_BYTES));
    return { malformed: { reason, bytes: this.#bytes, start } };
  }

  #reset(): void {
    this.#line.clear();
    this.#bytes = 0;
  }
}
