import { type BlockEvent, isObject, type ResponseEvent } from "@ashlar/context";
import { IOError } from "../io-error.js";

/** More blocks than any response has; an index beyond is a mistake. */
const MAX_BLOCKS = 100_000;

type Opened = "text" | "thinking" | "call" | "executed";
/** A call that the provider runs stays known until its result has come. */
type BlockState = Opened | "ended" | "pending";

/**
 * Checks the order and the fields of the events a connector makes: a few comparisons an event.
 * Every failure is kind `malformed` and names the event and its place.
 */
export class EventGuard {
  readonly #blocks: (BlockState | undefined)[] = [];
  #pendingCalls = 0;
  #events = 0;

  /** Calls that the provider runs and whose result has not come. */
  get pendingCalls(): number {
    return this.#pendingCalls;
  }

  /** Throws for what is not the next event of a response. Answers whether it is progress: an empty delta is none. */
  check(event: ResponseEvent): boolean {
    this.#events++;
    // What a connector returns is only claimed to be events.
    switch (event?.type) {
      case "text_delta":
        return this.#delta(event, event.text, "text");
      case "thinking_delta":
        return this.#delta(event, event.text, "thinking");
      case "tool_call_delta":
        return this.#callDelta(event, event.arguments);
      case "text_start":
        return this.#open(event, "text");
      case "thinking_start":
        return this.#open(event, "thinking");
      case "tool_call_start":
        return this.#openCall(event);
      case "text_end":
        return this.#end(event, "text");
      case "thinking_end":
        return this.#end(event, "thinking");
      case "tool_call_end":
        return this.#endCall(event);
      case "tool_call_result":
        return this.#result(event);
      default:
        throw this.#refuse(event, "no such event type");
    }
  }

  #delta(event: BlockEvent, text: unknown, wanted: Opened): boolean {
    if (typeof text !== "string") throw this.#refuse(event, "text is not a string");
    if (!this.#isOpen(event, wanted)) throw this.#refuse(event, `no ${wanted} block is open there`);
    return text !== "";
  }

  #callDelta(event: BlockEvent, fragment: unknown): boolean {
    if (typeof fragment !== "string") throw this.#refuse(event, "arguments is not a string");
    if (!this.#isOpenCall(event)) throw this.#refuse(event, "no call is open there");
    return fragment !== "";
  }

  #open(event: BlockEvent, opened: Opened): true {
    const { contentIndex } = event;
    if (!Number.isInteger(contentIndex) || contentIndex < 0 || contentIndex >= MAX_BLOCKS) {
      throw this.#refuse(event, "contentIndex must be an integer from 0");
    }
    if (this.#blocks[contentIndex] !== undefined) throw this.#refuse(event, "a block stands there already");
    this.#blocks[contentIndex] = opened;
    return true;
  }

  #openCall(event: Extract<BlockEvent, { type: "tool_call_start" }>): true {
    if (typeof event.name !== "string") throw this.#refuse(event, "name is not a string");
    if (typeof event.callId !== "string") throw this.#refuse(event, "callId is not a string");
    this.#open(event, event.executed === true ? "executed" : "call");
    if (event.executed === true) this.#pendingCalls++;
    return true;
  }

  #end(event: BlockEvent, wanted: Opened): true {
    if (!this.#isOpen(event, wanted)) throw this.#refuse(event, `no ${wanted} block is open there`);
    this.#blocks[event.contentIndex] = "ended";
    return true;
  }

  #endCall(event: BlockEvent): true {
    if (!this.#isOpenCall(event)) throw this.#refuse(event, "no call is open there");
    this.#blocks[event.contentIndex] = this.#blocks[event.contentIndex] === "executed" ? "pending" : "ended";
    return true;
  }

  #result(event: Extract<BlockEvent, { type: "tool_call_result" }>): true {
    if (!this.#isOpen(event, "pending") && !this.#isOpen(event, "executed"))
      throw this.#refuse(event, "no executed call waits there");
    if (!Array.isArray(event.content)) throw this.#refuse(event, "content is not an array");
    this.#blocks[event.contentIndex] = "ended";
    this.#pendingCalls--;
    return true;
  }

  #isOpen({ contentIndex }: BlockEvent, wanted: BlockState): boolean {
    return typeof contentIndex === "number" && this.#blocks[contentIndex] === wanted;
  }

  #isOpenCall(event: BlockEvent): boolean {
    return this.#isOpen(event, "call") || this.#isOpen(event, "executed");
  }

  #refuse(event: unknown, reason: string): IOError<"malformed"> {
    const { type, contentIndex } = isObject(event) ? event : {};
    const place = `event ${this.#events}`;
    const index = contentIndex === undefined ? "" : `, contentIndex ${String(contentIndex)}`;
    return new IOError(
      "malformed",
      `The connector sent a wrong ${place} (${String(type)}${index}): ${reason}.`,
      {
        at: place,
      },
    );
  }
}
