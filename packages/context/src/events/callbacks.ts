import { ContextError } from "../context-error.js";
import type { ErrorEvent, ResponseEvent, TerminalEvent } from "../events.js";
import { nameOfValue } from "../json.js";
import { hintFor } from "../nearest-name.js";

type Pascal<Type extends string> = Type extends `${infer Head}_${infer Tail}`
  ? `${Capitalize<Head>}${Pascal<Tail>}`
  : Capitalize<Type>;

/** `text_delta` → `onTextDelta`. */
export type EventCallbackName<Type extends ResponseEvent["type"]> = `on${Pascal<Type>}`;

/** One callback for each event type: a function is used, false or null silences the event, a missing one leaves it to `onData`. */
export type EventCallbacks = {
  readonly [Event in ResponseEvent as EventCallbackName<Event["type"]>]?:
    | ((event: Event) => void)
    | false
    | null;
};

export interface Callbacks extends EventCallbacks {
  /** Every event that has no callback of its own. */
  readonly onData?: (event: ResponseEvent) => void;
  /** The text of an error that has no callback of its own. */
  readonly onLog?: (text: string) => void;
  /** The last event, beside its own callback. */
  readonly onTerminal?: (event: TerminalEvent) => void;
}

export type EventSink = (event: ResponseEvent) => void;

const EVENT_TYPES = [
  "start",
  "text_start",
  "text_delta",
  "text_end",
  "thinking_start",
  "thinking_delta",
  "thinking_end",
  "tool_call_start",
  "tool_call_delta",
  "tool_call_end",
  "tool_call_result",
  "done",
  "error",
] as const satisfies readonly ResponseEvent["type"][];

/** The callback's name for an event type. */
export function eventCallbackName(type: ResponseEvent["type"]): string {
  return `on${type.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}`;
}

/** One function that hands each event to its callback. Throws kind `usage` for a name nobody calls. */
export function callbacksToSink(callbacks: Callbacks): EventSink {
  checkCallbacks(callbacks);
  const { onData, onLog, onTerminal } = callbacks;
  const named = new Map(EVENT_TYPES.map((type) => [type, callbackOf(callbacks, eventCallbackName(type))]));
  return (event) => {
    const callback = named.get(event.type);
    if (typeof callback === "function") callback(event);
    else if (callback === undefined) {
      onData?.(event);
      if (event.type === "error") onLog?.(textOf(event));
    }
    if (event.type === "done" || event.type === "error") onTerminal?.(event);
  };
}

function textOf(event: ErrorEvent): string {
  return event.kind === undefined ? event.error : `${event.kind}: ${event.error}`;
}

function callbackOf(callbacks: Callbacks, name: string): EventSink | false | null | undefined {
  // The table of names pairs each callback with the one event type that it takes.
  return (callbacks as Readonly<Record<string, EventSink | false | null | undefined>>)[name];
}

function checkCallbacks(callbacks: Callbacks): void {
  const names = [...EVENT_TYPES.map(eventCallbackName), "onData", "onLog", "onTerminal"];
  for (const [name, value] of Object.entries(callbacks)) {
    if (!names.includes(name)) {
      const problem = `callbacks.${name}: no event has this callback${hintFor(name, names)}`;
      throw new ContextError("usage", problem, { argument: name });
    }
    if (typeof value === "function" || value === false || value === null || value === undefined) continue;
    const problem = `callbacks.${name}: expected a function, false or null, got ${nameOfValue(value)}`;
    throw new ContextError("usage", problem, { argument: name });
  }
}
