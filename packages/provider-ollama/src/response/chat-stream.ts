import type { BlockEvent, DoneReason, ResponseEvent } from "@ashlar/context";
import type { CallIds } from "./call-ids.js";
import { type FrameCall, type FrameEnd, readChatFrame } from "./chat-frame.js";

export interface ChatStreamOptions {
  readonly ids: CallIds;
  /** The terminal event of a failure that the server reports after its 200. */
  readonly onError: (text: string) => ResponseEvent;
  /** The terminal event of an answer that reached its end. */
  readonly onEnd: (end: FrameEnd, reason: DoneReason) => ResponseEvent;
}

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
    if (this.#ended) return [];
    if (value === null)
      return this.#fail("The response ended without done: true, so the answer is cut", "network");
    const frame = readChatFrame(value);
    if (frame === undefined)
      return this.#fail("The response holds a line that is not an object", "malformed");
    if (frame.error !== undefined) return this.#end(this.#options.onError(frame.error));
    const events = [
      ...this.#delta("thinking", frame.thinking),
      ...this.#delta("text", frame.text),
      ...frame.calls.flatMap((call) => this.#call(call)),
    ];
    if (frame.end === undefined) return events;
    return [...events, ...this.#end(this.#options.onEnd(frame.end, this.#reason(frame.end)))];
  }

  #delta(kind: "text" | "thinking", text: string): readonly BlockEvent[] {
    if (text === "") return [];
    const opened = this.#block === kind ? [] : [...this.#close(), this.#open(kind)];
    return [...opened, { type: `${kind}_delta`, contentIndex: this.#index, text }];
  }

  #open(kind: "text" | "thinking"): BlockEvent {
    this.#block = kind;
    this.#index += 1;
    return { type: `${kind}_start`, contentIndex: this.#index };
  }

  #close(): readonly BlockEvent[] {
    if (this.#block === undefined) return [];
    const type = `${this.#block}_end` as const;
    this.#block = undefined;
    return [{ type, contentIndex: this.#index }];
  }

  #call(call: FrameCall): readonly BlockEvent[] {
    const callId = this.#options.ids.idOf(call);
    if (callId === undefined) return [];
    const closed = this.#close();
    this.#called = true;
    this.#index += 1;
    return [
      ...closed,
      { type: "tool_call_start", contentIndex: this.#index, callId, name: call.name },
      { type: "tool_call_end", contentIndex: this.#index, arguments: call.arguments },
    ];
  }

  #end(terminal: ResponseEvent): readonly ResponseEvent[] {
    const closed = terminal.type === "done" ? this.#close() : [];
    this.#ended = true;
    return [...closed, terminal];
  }

  #fail(error: string, kind: "network" | "malformed"): readonly ResponseEvent[] {
    return this.#end({ type: "error", error, kind });
  }

  /** The server says `stop` for calls as well. */
  #reason({ reason }: FrameEnd): DoneReason {
    if (reason === "length") return "length";
    if (this.#called) return "toolCalls";
    return reason === "stop" || reason === undefined ? "stop" : "other";
  }
}
