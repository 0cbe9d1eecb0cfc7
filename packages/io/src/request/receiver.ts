import {
  type Assembler,
  createAssembler,
  type EventSink,
  type ResponseEvent,
  type TerminalEvent,
} from "@ashlar/context";
import { IOError } from "../io-error.js";
import { EventGuard } from "./event-guard.js";

/**
 * Takes the events a connector makes, checks them, assembles them and hands them to the sink, until the terminal one,
 * which it keeps back: it is completed and sent in one place, whatever ended the request.
 */
export class Receiver {
  readonly assembler: Assembler = createAssembler();
  readonly #guard = new EventGuard();
  readonly #sink: EventSink;
  readonly #isStopped: () => boolean;
  #terminal: TerminalEvent | undefined;
  #started = false;
  #delivering = false;
  #progressed = false;
  #answered = false;

  constructor(sink: EventSink, isStopped: () => boolean) {
    this.#sink = sink;
    this.#isStopped = isStopped;
  }

  /** Forgets how an earlier attempt ended; its events cannot be forgotten. */
  begin(): void {
    this.#terminal = undefined;
  }

  /** The terminal event as the connector made it. */
  get terminal(): TerminalEvent | undefined {
    return this.#terminal;
  }

  /** The sink has got a block event, so the request cannot begin again unseen. */
  get started(): boolean {
    return this.#started;
  }

  /** The sink is at work: what is thrown now is its own failure. */
  get delivering(): boolean {
    return this.#delivering;
  }

  /** The model gave visible text or called a tool by name. */
  get answered(): boolean {
    return this.#answered;
  }

  get pendingCalls(): number {
    return this.#guard.pendingCalls;
  }

  /** Has the model sent something since this was last asked. */
  takeProgress(): boolean {
    const progressed = this.#progressed;
    this.#progressed = false;
    return progressed;
  }

  /** Takes the events of one frame. True: nothing after them counts, by a terminal event or a stop. Throws kind `malformed`. */
  take(events: readonly ResponseEvent[]): boolean {
    if (!Array.isArray(events)) {
      throw new IOError("malformed", "The connector's msg2events returned no array of events.", {});
    }
    for (const event of events) {
      if (this.#isStopped()) return true;
      if (event?.type === "done" || event?.type === "error") {
        this.#terminal = event;
        return true;
      }
      // The request has had its start event.
      if (event?.type === "start") continue;
      if (this.#guard.check(event)) this.#progressed = true;
      this.#answered ||= isAnswer(event);
      this.assembler.push(event);
      this.deliver(event);
      this.#started = true;
    }
    return false;
  }

  deliver(event: ResponseEvent): void {
    this.#delivering = true;
    this.#sink(event);
    this.#delivering = false;
  }
}

function isAnswer(event: ResponseEvent): boolean {
  switch (event.type) {
    case "text_delta":
      return event.text.trim() !== "";
    case "text_end":
      return event.text !== undefined && event.text.trim() !== "";
    case "tool_call_start":
      return event.name !== "";
    default:
      return false;
  }
}
