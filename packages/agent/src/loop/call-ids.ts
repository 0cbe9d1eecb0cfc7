import {
  type AssistantMessage,
  type Block,
  MessageType,
  type ToolCallBlock,
  type ToolResultMessage,
} from "@ashlar/context";
import { isToolCall } from "./answer.js";

/** Hands out call ids that are unique in one conversation. */
export class CallIds {
  readonly #taken = new Set<string>();
  #next = 1;
  /** Claimed for the response at hand. */
  #claimed: string[] = [];

  /** Counts the ids of an earlier part of the conversation as taken. */
  learn(content: readonly Block[]): void {
    for (const block of content) if (isToolCall(block)) this.#taken.add(block.callId);
  }

  /** The next response: what was claimed so far stays. */
  begin(): void {
    this.#claimed = [];
  }

  /** The model's id if it is free and not empty, else `agent-N`. */
  claim(wanted: string): string {
    let id = wanted;
    while (id === "" || this.#taken.has(id)) {
      id = `agent-${this.#next}`;
      this.#next += 1;
    }
    this.#taken.add(id);
    this.#claimed.push(id);
    return id;
  }

  /** The response at hand is thrown away, and its ids are free again. */
  withdraw(): void {
    for (const id of this.#claimed) this.#taken.delete(id);
    this.#claimed = [];
  }
}

export interface PairedResponse {
  readonly message: AssistantMessage;
  /** One for each call that the provider executed, in call order. */
  readonly results: readonly ToolResultMessage[];
}

/** Models forget the name now and then; a stored call needs one. */
const UNNAMED = "unnamed";

/** Gives each call its id, and each executed call its one result under that id. */
export function pairResponse(
  message: AssistantMessage,
  results: readonly ToolResultMessage[],
  ids: CallIds,
): PairedResponse {
  ids.begin();
  if (!message.content.some(isToolCall)) return { message, results: [] };
  const unused = [...results];
  const paired: ToolResultMessage[] = [];
  const content = message.content.map((block) => {
    if (!isToolCall(block)) return block;
    const callId = ids.claim(block.callId);
    if (block.executed === true) paired.push(takeResult(block, callId, unused));
    if (callId === block.callId && block.name !== "") return block;
    return { ...block, callId, name: block.name || UNNAMED };
  });
  const changed = content.some((block, index) => block !== message.content[index]);
  return { message: changed ? { ...message, content } : message, results: paired };
}

function takeResult(call: ToolCallBlock, callId: string, unused: ToolResultMessage[]): ToolResultMessage {
  const place = unused.findIndex((result) => result.callId === call.callId);
  const result = place < 0 ? undefined : unused.splice(place, 1)[0];
  if (result === undefined) return missingResult(call, callId);
  return result.callId === callId && result.name !== undefined
    ? result
    : { ...result, callId, name: call.name };
}

function missingResult(call: ToolCallBlock, callId: string): ToolResultMessage {
  const text = "The provider ran this call, but its result did not arrive.";
  return {
    type: MessageType.toolResult,
    callId,
    name: call.name,
    error: true,
    content: [{ type: "text", text }],
  };
}
