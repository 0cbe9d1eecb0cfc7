import {
  type AssistantMessage,
  type Block,
  type DoneEvent,
  type ErrorEvent,
  MessageType,
  type ToolCallBlock,
} from "@ashlar/context";

/** The calls of a response that are the host's to run. */
export function localCalls(message: AssistantMessage | undefined): readonly ToolCallBlock[] {
  if (message === undefined) return [];
  return message.content.filter(isToolCall).filter((call) => call.executed !== true);
}

export function isToolCall(block: Block): block is ToolCallBlock {
  return block.type === "toolCall";
}

/** Why a finished response is no answer; undefined for one that holds something. `retry`: another try may help. */
export function explainEmptyAnswer(
  done: DoneEvent,
): { readonly error: string; readonly retry: boolean } | undefined {
  if (done.message?.content.some(isVisible) === true) return undefined;
  if (done.doneReason === "refusal") return { error: "The model refused to answer.", retry: false };
  if (done.doneReason === "length") {
    return { error: "The output limit was reached before the answer began.", retry: false };
  }
  return { error: "The model returned an empty answer.", retry: true };
}

/**
 * True for a failure that says: the response came to its end and held nothing. The provider counted its tokens, which
 * it does not do for a response that broke off.
 */
export function isEmptyAnswer(failure: ErrorEvent): boolean {
  if (failure.kind !== "provider" || failure.retryable !== true || failure.status !== undefined) return false;
  return failure.usage?.source === "provider" && failure.message?.content.some(isVisible) !== true;
}

/** Thinking alone is no answer. */
function isVisible(block: Block): boolean {
  if (block.type === "text") return block.text.trim() !== "";
  return block.type !== "thinking";
}

/** A finished response that counts as a failure. */
export function asFailure(done: DoneEvent, error: string): ErrorEvent {
  const { message, usage, results, warnings } = done;
  return {
    type: "error",
    error,
    kind: "provider",
    retryable: false,
    ...(message !== undefined && { message }),
    ...(usage !== undefined && { usage }),
    ...(results !== undefined && { results }),
    ...(warnings !== undefined && { warnings }),
  };
}

/** What a failed response leaves in the context: what arrived, marked; undefined for a cancel that brought nothing. */
export function failedMessage(failure: ErrorEvent, waitMs: number | undefined): AssistantMessage | undefined {
  const arrived = failure.message;
  if (failure.cancelled === true || failure.kind === "cancelled") {
    if (arrived === undefined || arrived.content.length === 0) return undefined;
    const { error: _error, ...kept } = arrived;
    return { ...kept, incomplete: true };
  }
  const error = waitMs === undefined ? failure.error : { message: failure.error, retry: waitMs };
  return { ...(arrived ?? { type: MessageType.assistant, content: [] }), error, incomplete: true };
}
