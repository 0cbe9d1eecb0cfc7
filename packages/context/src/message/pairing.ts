import { ContextError } from "../context-error.js";
import { type ContextItem, MessageType, type ToolResultMessage } from "../message.js";
import { isMessage } from "./guard.js";

/** Throws kind `usage` unless the newest call of this id is there and has no result yet. Looks back from the end. */
export function checkPairing(items: readonly ContextItem[], result: ToolResultMessage): void {
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const item = items[index];
    if (!isMessage(item)) continue;
    if (item.type === MessageType.toolResult && item.callId === result.callId) {
      throw refused(result, `context[${index}] is its result already`);
    }
    if (item.type === MessageType.assistant && hasCall(item.content, result.callId)) return;
  }
  throw refused(result, "no assistant message holds this call");
}

function hasCall(
  content: readonly { readonly type: string; readonly callId?: unknown }[],
  callId: string,
): boolean {
  return content.some((block) => block.type === "toolCall" && block.callId === callId);
}

function refused(result: ToolResultMessage, reason: string): ContextError {
  const problem = `callId ${JSON.stringify(result.callId)}: ${reason}; append one result for each open call`;
  return new ContextError("usage", problem, { argument: "callId" });
}
