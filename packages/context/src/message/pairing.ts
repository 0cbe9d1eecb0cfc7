import { ContextError } from "../context-error.js";
import { type ContextItem, MessageType, type ToolResultMessage } from "../message.js";
import { isMessage } from "./guard.js";

/** The calls of a growing conversation that have no result yet. Looks at each item once. */
export class OpenCalls {
  readonly #ids = new Set<string>();
  #seen = 0;
  #last: ContextItem | undefined;

  /** Throws kind `usage` unless the newest call of this id is there and has no result yet. */
  check(items: readonly ContextItem[], result: ToolResultMessage): void {
    // A message that merged into the last one may have brought calls along.
    if (items[this.#seen - 1] !== this.#last) this.#restart();
    for (; this.#seen < items.length; this.#seen += 1) this.#take(items[this.#seen]);
    this.#last = items.at(-1);
    if (!this.#ids.has(result.callId)) throw refused(result, reasonOf(items, result));
  }

  #restart(): void {
    this.#ids.clear();
    this.#seen = 0;
  }

  #take(item: ContextItem | undefined): void {
    if (!isMessage(item)) return;
    if (item.type === MessageType.toolResult) this.#ids.delete(item.callId);
    if (item.type !== MessageType.assistant) return;
    for (const block of item.content) if (block.type === "toolCall") this.#ids.add(block.callId);
  }
}

function reasonOf(items: readonly ContextItem[], { callId }: ToolResultMessage): string {
  const isItsResult = (item: ContextItem): boolean =>
    isMessage(item) && item.type === MessageType.toolResult && item.callId === callId;
  const index = items.findLastIndex(isItsResult);
  return index < 0 ? "no assistant message holds this call" : `context[${index}] is its result already`;
}

function refused(result: ToolResultMessage, reason: string): ContextError {
  const problem = `callId ${JSON.stringify(result.callId)}: ${reason}; append one result for each open call`;
  return new ContextError("usage", problem, { argument: "callId" });
}
