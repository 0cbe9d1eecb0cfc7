import type { ToolCallBlock } from "@ashlar/context";
import { type DoneEvent, type ErrorEvent, messageErrorText, type TerminalEvent } from "@ashlar/context";
import { asFailure, explainEmptyAnswer, isEmptyAnswer, isToolCall, localCalls } from "./answer.js";

/** What the end of a response means, before anybody thinks of sending it again. */
export type TerminalState =
  /** The last word when there are no calls to run, whatever word it finished with. */
  | { readonly kind: "answer"; readonly done: DoneEvent; readonly calls: readonly ToolCallBlock[] }
  /** Its calls are not run: they may not be whole, or the provider took the response back. */
  | {
      readonly kind: "cut" | "refused";
      readonly done: DoneEvent;
      readonly calls: readonly ToolCallBlock[];
    }
  /** It came to its end and held nothing. `again`: another try may help. */
  | { readonly kind: "empty"; readonly failure: ErrorEvent; readonly again: boolean }
  /** It did not fit the window. */
  | { readonly kind: "overflow"; readonly failure: ErrorEvent }
  | { readonly kind: "cancelled"; readonly failure: ErrorEvent }
  | { readonly kind: "failed"; readonly failure: ErrorEvent };

/** `cancelled`: the run was, before the response ended; what came whole all the same is kept. */
export function classifyTerminal(terminal: TerminalEvent, cancelled: boolean): TerminalState {
  return terminal.type === "done" ? classifyDone(terminal, cancelled) : classifyError(terminal, cancelled);
}

function classifyDone(done: DoneEvent, cancelled: boolean): TerminalState {
  const { message, doneReason } = done;
  // A message that says it failed is believed before a word that says it did not.
  if (message?.error !== undefined) {
    const failure = asFailure(done, messageErrorText(message) ?? "The response failed.");
    return { kind: cancelled ? "cancelled" : "failed", failure };
  }
  const problem = cancelled ? undefined : explainEmptyAnswer(done);
  if (problem !== undefined) {
    const failure = asFailure(done, problem.error);
    return problem.retry ? { kind: "empty", failure, again: true } : { kind: "failed", failure };
  }
  const calls = localCalls(message);
  if (calls.length > 0 && doneReason === "length") return { kind: "cut", done, calls };
  if (calls.length > 0 && doneReason === "refusal") return { kind: "refused", done, calls };
  return { kind: "answer", done, calls };
}

function classifyError(failure: ErrorEvent, cancelled: boolean): TerminalState {
  // The end of the stream counts, whatever its message says of how it ended.
  if (cancelled || failure.cancelled === true || failure.kind === "cancelled")
    return { kind: "cancelled", failure };
  if (failure.idle === true && isCarriedOut(failure))
    return { kind: "answer", done: settled(failure), calls: [] };
  if (failure.contextOverflow !== undefined) return { kind: "overflow", failure };
  if (isEmptyAnswer(failure)) return { kind: "empty", failure, again: true };
  return { kind: "failed", failure };
}

/** The provider ran all of its calls, so sending it again would run them twice. */
function isCarriedOut({ message, results = [] }: ErrorEvent): boolean {
  const calls = message?.content.filter(isToolCall) ?? [];
  return (
    calls.length > 0 && calls.every(({ executed }) => executed === true) && results.length === calls.length
  );
}

/** A response that ended in silence, as if it had said that it was over. */
function settled({ message, usage, results, warnings }: ErrorEvent): DoneEvent {
  const { error: _error, incomplete: _incomplete, ...whole } = message ?? { type: 3, content: [] };
  return {
    type: "done",
    doneReason: "stop",
    message: whole,
    ...(usage !== undefined && { usage }),
    ...(results !== undefined && { results }),
    ...(warnings !== undefined && { warnings }),
  };
}
