import {
  type ContextItem,
  createAssembler,
  type ErrorEvent,
  isAshlarError,
  type RequestErrorKind,
  type ResponseEvent,
  type TerminalEvent,
} from "@ashlar/context";
import { errorText } from "../loop/tool-value.js";
import type { StreamFunction, StreamOptions } from "../stream-function.js";

/** Milliseconds a stream has to end after an abort before it is left behind. */
const ABORT_GRACE_MS = 200;

export interface StreamCall {
  readonly stream: StreamFunction;
  /** The stream is not our IO, so its terminal event may lack the message. */
  readonly foreign: boolean;
  readonly context: readonly ContextItem[];
  readonly options: StreamOptions;
  /** Events before the terminal one, as they come. */
  readonly sink: (event: ResponseEvent) => void;
}

/**
 * Runs a stream function so that exactly one terminal event comes out, whatever the function does: throw, end without
 * one, ignore its abort, or go on after its end.
 */
export async function guardStream(call: StreamCall): Promise<TerminalEvent> {
  const { sink, foreign, context, options } = call;
  const assembler = foreign ? createAssembler() : undefined;
  let open = true;
  let last: TerminalEvent | undefined;
  const receive = (event: ResponseEvent): void => {
    if (!open) return;
    if (event.type === "done" || event.type === "error") {
      last = event;
      return;
    }
    assembler?.push(event);
    sink(event);
  };
  const abandoned = afterAbort(options.signal, ABORT_GRACE_MS);
  try {
    const running = (async () => call.stream(context, receive, options))().catch(failureOf);
    const terminal = (await Promise.race([running, abandoned.promise])) ?? last ?? SILENT_END;
    if (assembler === undefined || terminal.message !== undefined) return terminal;
    assembler.push(terminal);
    const results = assembler.results();
    return { ...terminal, message: assembler.message(), ...(results.length > 0 && { results }) };
  } finally {
    open = false;
    abandoned.stop();
  }
}

const SILENT_END: ErrorEvent = Object.freeze({
  type: "error",
  kind: "network",
  error: "The stream ended without a terminal event.",
});

const CANCELLED_END: ErrorEvent = Object.freeze({
  type: "error",
  kind: "cancelled",
  cancelled: true,
  error: "cancelled",
});

/** A throw is a failure like any other, and never worth a second try unless it says so. */
function failureOf(error: unknown): ErrorEvent {
  const kind = isAshlarError(error) ? requestKind(error.kind) : "provider";
  return { type: "error", kind, error: errorText(error), retryable: kind === "network" };
}

function requestKind(kind: string): RequestErrorKind {
  switch (kind) {
    case "auth":
    case "network":
    case "malformed":
    case "cancelled":
      return kind;
    default:
      return "provider";
  }
}

interface Abandonment {
  readonly promise: Promise<ErrorEvent>;
  readonly stop: () => void;
}

/** Resolves some time after the abort, for streams that do not end by themselves. */
function afterAbort(signal: AbortSignal, graceMs: number): Abandonment {
  let timer: NodeJS.Timeout | undefined;
  let listener = (): void => {};
  const promise = new Promise<ErrorEvent>((resolve) => {
    listener = () => {
      timer = setTimeout(resolve, graceMs, CANCELLED_END);
    };
    if (signal.aborted) listener();
    else signal.addEventListener("abort", listener, { once: true });
  });
  const stop = (): void => {
    clearTimeout(timer);
    signal.removeEventListener("abort", listener);
  };
  return { promise, stop };
}
