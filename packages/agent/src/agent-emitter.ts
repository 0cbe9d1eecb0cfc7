import type { Block, ResponseEvent, ToolResultMessage } from "@ashlar/context";
import type { EventKey } from "@ashlar/env";
import { AGENT_EVENT } from "./agent-events.js";
import type { AgentStreamEvent, ToolResultEvent } from "./loop/stream-event.js";
import { errorText } from "./loop/tool-value.js";

export type StreamListener = (event: AgentStreamEvent) => void;
type Listener = (payload: never) => void;

interface Registration {
  readonly handle: number;
  readonly listener: Listener;
}

/** The key of each response event. */
const KEYS: { readonly [Type in ResponseEvent["type"]]: symbol } = {
  start: AGENT_EVENT.REQUEST_START,
  text_start: AGENT_EVENT.TEXT_START,
  text_delta: AGENT_EVENT.TEXT_DELTA,
  text_end: AGENT_EVENT.TEXT_END,
  thinking_start: AGENT_EVENT.THINKING_START,
  thinking_delta: AGENT_EVENT.THINKING_DELTA,
  thinking_end: AGENT_EVENT.THINKING_END,
  tool_call_start: AGENT_EVENT.TOOL_CALL_START,
  tool_call_delta: AGENT_EVENT.TOOL_CALL_DELTA,
  tool_call_end: AGENT_EVENT.TOOL_CALL_END,
  tool_call_result: AGENT_EVENT.TOOL_CALL_RESULT,
  done: AGENT_EVENT.REQUEST_DONE,
  error: AGENT_EVENT.REQUEST_ERROR,
};

/** Shared: most agents are heard by nobody. */
const NOBODY: readonly StreamListener[] = Object.freeze([]);

/** Gives events out, as the one stream and by key. A listener that throws is reported and never reaches the run. */
export class AgentEmitter {
  #subscribers = NOBODY;
  #listeners: Map<symbol, readonly Registration[]> | undefined;
  #nextHandle = 1;
  #reporting = false;

  subscribe(listener: StreamListener): () => void {
    this.#subscribers = [...this.#subscribers, listener];
    return () => {
      this.#subscribers = this.#subscribers.filter((other) => other !== listener);
    };
  }

  on<P>(key: EventKey<P>, listener: (payload: P) => void): number {
    const handle = this.#nextHandle;
    this.#nextHandle += 1;
    this.#listeners ??= new Map();
    this.#listeners.set(key, [...(this.#listeners.get(key) ?? []), { handle, listener }]);
    return handle;
  }

  off(handle: number): boolean {
    for (const [key, registrations] of this.#listeners ?? []) {
      const kept = registrations.filter((other) => other.handle !== handle);
      if (kept.length === registrations.length) continue;
      this.#listeners?.set(key, kept);
      return true;
    }
    return false;
  }

  /** Events of a response pass through as the same object. */
  response(event: ResponseEvent): void {
    this.#deliver(event);
    if (this.#listeners !== undefined) this.#notify(KEYS[event.type], event);
  }

  /** An event of the agent's own, with what its key carries. */
  event<P>(event: AgentStreamEvent, key: EventKey<P>, payload: P): void {
    this.#deliver(event);
    this.signal(key, payload);
  }

  toolResult(event: ToolResultEvent, result: ToolResultMessage): void {
    const display: readonly Block[] | undefined = event.display;
    this.event(event, AGENT_EVENT.TOOL_RESULT, { result, ...(display !== undefined && { display }) });
  }

  /** What only listeners by key hear. */
  signal<P>(key: EventKey<P>, payload: P): void {
    if (this.#listeners !== undefined) this.#notify(key, payload);
  }

  notice(message: string): void {
    this.event({ type: "notice", message }, AGENT_EVENT.LOG, message);
  }

  #deliver(event: AgentStreamEvent): void {
    for (const listener of this.#subscribers) this.#call(listener, event);
  }

  #notify(key: symbol, payload: unknown): void {
    const registrations = this.#listeners?.get(key);
    if (registrations === undefined) return;
    for (const { listener } of registrations) {
      // `on` tied the listener to this key's payload.
      this.#call(listener as (payload: unknown) => unknown, payload);
    }
  }

  #call<P>(listener: (payload: P) => unknown, payload: P): void {
    try {
      const returned = listener(payload);
      if (returned instanceof Promise) returned.catch((error: unknown) => this.#report(error));
    } catch (error) {
      this.#report(error);
    }
  }

  /** A listener that fails while it hears of a failure ends the matter. */
  #report(error: unknown): void {
    if (this.#reporting) return;
    this.#reporting = true;
    try {
      this.notice(`An event listener failed: ${errorText(error)}`);
    } finally {
      this.#reporting = false;
    }
  }
}
