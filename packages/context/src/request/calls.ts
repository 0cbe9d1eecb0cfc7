import {
  type Block,
  type Message,
  MessageType,
  type ToolCallBlock,
  type ToolResultMessage,
} from "../message.js";

/** A call of an assistant message and the result that was found for it. */
export interface CallSlot {
  readonly call: ToolCallBlock;
  result: ToolResultMessage | undefined;
}

/** For a call that may have run. */
export const INTERRUPTED =
  "Interrupted: this call has no result. It may have partly run; check what it changed before you repeat it.";
/** For a call of which is known that it did not run. */
export const NEVER_STARTED =
  "Interrupted before this call began: it did not run. Repeat it if it is still needed.";
const UNREPORTED = "The provider ran this call but reported no result.";

/** An assistant message followed by exactly one result for each of its calls, in call order. */
export function pairedMessages(
  message: Message,
  slots: readonly CallSlot[],
  ordinal: number,
): readonly Message[] {
  const ids = callIds(slots, ordinal);
  const changed = slots.some(({ call }, index) => ids[index] !== call.callId);
  const results = slots.flatMap((slot, index) => {
    const id = ids[index];
    return id === undefined ? [] : [resultOf(slot, id)];
  });
  return [changed ? withIds(message, ids) : message, ...results];
}

/** The id that each call goes by, or undefined for a repeat that is dropped: nothing ever answered it. */
function callIds(slots: readonly CallSlot[], ordinal: number): readonly (string | undefined)[] {
  const taken = new Set(slots.map(({ call }) => call.callId));
  const used = new Set<string>();
  return slots.map(({ call, result }, index) => {
    const id = call.callId;
    if (id !== "" && !used.has(id)) {
      used.add(id);
      return id;
    }
    if (id !== "" && result === undefined) return undefined;
    let fresh = `${id === "" ? "call" : id}-${ordinal + index}`;
    while (taken.has(fresh)) fresh += "x";
    taken.add(fresh);
    return fresh;
  });
}

function withIds(message: Message, ids: readonly (string | undefined)[]): Message {
  let index = -1;
  const content = message.content.flatMap((block): readonly Block[] => {
    if (block.type !== "toolCall") return [block];
    index += 1;
    const callId = ids[index];
    return callId === undefined ? [] : [callId === block.callId ? block : { ...block, callId }];
  });
  return { ...message, content };
}

function resultOf({ call, result }: CallSlot, callId: string): ToolResultMessage {
  if (result !== undefined) return result.callId === callId ? result : { ...result, callId };
  const text = call.executed === true ? UNREPORTED : INTERRUPTED;
  return {
    type: MessageType.toolResult,
    callId,
    name: call.name,
    content: [{ type: "text", text }],
    error: true,
  };
}
