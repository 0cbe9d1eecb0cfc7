import { IOError } from "../io-error.js";
import { type FrameReader, type OnFrame, parseFrame, parseLastFrame } from "./frame-reader.js";
import { LineBuffer, MAX_LINE_BYTES } from "./line-buffer.js";

const DONE = "[DONE]";
const KEEP_ALIVE_EVENT = /^(ping|heartbeat|keep-?alive)$/i;
const RETURN = 0x0d;
const SPACE = 0x20;
const OPEN_BRACE = 0x7b;

/**
 * Reads server-sent events whose data is JSON. Comments, empty data, `data: :` and pings are noise;
 * `[DONE]` ends the response. Data of an event named `error` becomes `{ error: data }` unless it says what it is.
 */
export function createSseReader(onFrame: OnFrame, maxLineBytes?: number): FrameReader {
  const lines = new LineBuffer(maxLineBytes);
  const events = new EventFields(onFrame, maxLineBytes);
  const read = (text: string): boolean => {
    let from = 0;
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", from)) {
      const end = at > from && text.charCodeAt(at - 1) === RETURN ? at - 1 : at;
      if (end > from) events.field(text, from, end);
      else if (events.dispatch(parseFrame)) return true;
      from = at + 1;
    }
    return false;
  };
  return {
    push: (chunk) => lines.take(chunk, read),
    end() {
      const line = lines.rest();
      if (line !== "") events.field(line, 0, line.endsWith("\r") ? line.length - 1 : line.length);
      if (!events.dispatch(parseLastFrame)) onFrame(null);
    },
  };
}

/** The fields of the event that is being read. */
class EventFields {
  readonly #onFrame: OnFrame;
  readonly #maxCharacters: number;
  #event = "";
  #data: string | undefined;

  constructor(onFrame: OnFrame, maxCharacters: number = MAX_LINE_BYTES) {
    this.#onFrame = onFrame;
    this.#maxCharacters = maxCharacters;
  }

  /** Takes the line `text[from, end)`. `id`, `retry`, comments and unknown fields carry nothing here. */
  field(text: string, from: number, end: number): void {
    if (text.startsWith("data:", from)) this.#append(text.slice(valueStart(text, from + 5), end));
    else if (text.startsWith("event:", from)) this.#event = text.slice(valueStart(text, from + 6), end);
    // Some servers answer an event stream with one bare line of JSON, mostly an error.
    else if (text.charCodeAt(from) === OPEN_BRACE) this.#append(text.slice(from, end));
  }

  /** Ends the event. True: nothing more is wanted. */
  dispatch(parse: (text: string) => unknown): boolean {
    const data = this.#data;
    const event = this.#event;
    this.#data = undefined;
    this.#event = "";
    if (data === undefined || isNoise(data, event)) return false;
    if (data.charCodeAt(0) !== OPEN_BRACE && data.trim() === DONE) {
      this.#onFrame(null);
      return true;
    }
    const frame = parse(data);
    if (frame === null) return false;
    return this.#onFrame(event === "error" ? asError(frame) : frame);
  }

  #append(value: string): void {
    this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
    if (this.#data.length > this.#maxCharacters) {
      throw new IOError(
        "malformed",
        `The server sent an event of more than ${this.#maxCharacters} characters.`,
        {},
      );
    }
  }
}

function valueStart(text: string, at: number): number {
  return text.charCodeAt(at) === SPACE ? at + 1 : at;
}

function isNoise(data: string, event: string): boolean {
  if (event !== "" && KEEP_ALIVE_EVENT.test(event)) return true;
  if (data.charCodeAt(0) === OPEN_BRACE) return false;
  const text = data.trim();
  return text === "" || text.startsWith(":");
}

function asError(frame: unknown): unknown {
  const saysWhatItIs = typeof frame === "object" && frame !== null && ("error" in frame || "type" in frame);
  return saysWhatItIs ? frame : { error: frame };
}
