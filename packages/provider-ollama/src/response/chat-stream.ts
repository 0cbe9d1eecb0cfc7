import type { DoneReason, ResponseEvent } from "@ashlar/context";
import type { CallIds } from "./call-ids.js";
import { type FrameCall, type FrameEnd, readChatFrame } from "./chat-frame.js";

export interface ChatStreamOptions {
  readonly ids: CallIds;
  /** The terminal event of a failure that the server reports after its 200. */
  readonly onError: (text: string) => ResponseEvent;
  /** The terminal event of an answer that reached its end. */
  readonly onEnd: (end: FrameEnd, reason: DoneReason) => ResponseEvent;
}

/** Whole words: a name that is put together for each delta is slow to compare, everywhere it goes. */
const DELTAS = { text: "text_delta", thinking: "thinking_delta" } as const;

/** The lines of one response as events. States: outside a block, inside one, ended. */
export class ChatStream {
  readonly #options: ChatStreamOptions;
  #block: "text" | "thinking" | undefined;
  #index = -1;
  #called = false;
  #ended = false;

  constructor(options: ChatStreamOptions) {
    this.#options = options;
  }

  /** `null` marks the end of the body: without `done: true` before it the answer is cut. */
  push(value: unknown): readonly ResponseEvent[] {
    const events: ResponseEvent[] = [];
    if (!this.#ended) this.#read(value, events);
    return events;
  }

  #read(value: unknown, events: ResponseEvent[]): void {
    if (value === null) {
      this.#fail(events, "The response ended without done: true, so the answer is cut", "network");
      return;
    }
    const frame = readChatFrame(value);
    if (frame === undefined) {
      this.#fail(events, "The response holds a line that is not an object", "malformed");
      return;
    }
    if (frame.error !== undefined) {
      this.#end(events, this.#options.onError(frame.error));
      return;
    }
    if (frame.thinking !== "") this.#delta(events, "thinking", frame.thinking);
    if (frame.text !== "") this.#delta(events, "text", frame.text);
    for (const call of frame.calls) this.#call(events, call);
    if (frame.end !== undefined) this.#end(events, this.#options.onEnd(frame.end, this.#reason(frame.end)));
  }

  #delta(events: ResponseEvent[], kind: "text" | "thinking", text: string): void {
    if (this.#block !== kind) {
      this.#close(events);
      this.#block = kind;
      this.#index += 1;
      events.push({ type: `${kind}_start`, contentIndex: this.#index });
    }
    events.push({ type: DELTAS[kind], contentIndex: this.#index, text });
  }

  #close(events: ResponseEvent[]): void {
    if (this.#block === undefined) return;
    events.push({ type: `${this.#block}_end`, contentIndex: this.#index });
    this.#block = undefined;
  }

  #call(events: ResponseEvent[], call: FrameCall): void {
    const callId = this.#options.ids.idOf(call);
    if (callId === undefined) return;
    this.#close(events);
    this.#called = true;
    this.#index += 1;
    events.push(
      { type: "tool_call_start", contentIndex: this.#index, callId, name: call.name },
      { type: "tool_call_end", contentIndex: this.#index, arguments: call.arguments },
    );
  }

  #end(events: ResponseEvent[], terminal: ResponseEvent): void {
    if (terminal.type === "done") this.#close(events);
    this.#ended = true;
    events.push(terminal);
  }

  #fail(events: ResponseEvent[], error: string, kind: "network" | "malformed"): void {
    this.#end(events, { type: "error", error, kind });
  }

  /** The server says `stop` for calls as well. */
  #reason({ reason }: FrameEnd): DoneReason {
    if (reason === "length") return "length";
    if (this.#called) return "toolCalls";
    return reason === "stop" || reason === undefined ? "stop" : "other";
  }
}
