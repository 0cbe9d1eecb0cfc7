import { blockHasContent, messageHasContent, toolCallsOf } from "../message/content.js";
import { isMessage } from "../message/guard.js";
import { type ContextItem, type Message, MessageType, type ToolResultMessage } from "../message.js";
import { type CallSlot, pairedMessages } from "./calls.js";
import { cleanMessage } from "./clean-message.js";
import { isSaid } from "./orderly-view.js";

/** The view of any context, however it was left: open calls get a result, results find their calls. Linear. */
export function mendedView(items: readonly ContextItem[]): readonly Message[] {
  const view = new View();
  for (const item of items) if (isMessage(item)) view.add(cleanMessage(item));
  return view.messages();
}

interface Placed {
  readonly message: Message;
  readonly slots: readonly CallSlot[];
}

class View {
  readonly #placed: Placed[] = [];
  /** For each call id the slots of the newest message that uses it. */
  readonly #slots = new Map<string, readonly CallSlot[]>();

  add(message: Message): void {
    if (message.type === MessageType.toolResult) {
      this.#addResult(message);
      return;
    }
    const slots = slotsOf(message);
    if (!isSaid(message, slots)) return;
    this.#placed.push({ message, slots });
    for (const [id, group] of groupById(slots)) this.#slots.set(id, group);
  }

  messages(): readonly Message[] {
    const messages: Message[] = [];
    let ordinal = 1;
    for (const { message, slots } of this.#placed) {
      if (slots.length === 0) messages.push(message);
      else messages.push(...pairedMessages(message, slots, ordinal));
      ordinal += slots.length;
    }
    return messages;
  }

  /** The first result of a call counts, a later one is dropped; a result whose call is gone becomes the user's text. */
  #addResult(message: ToolResultMessage): void {
    const slots = this.#slots.get(message.callId);
    if (slots === undefined) {
      if (messageHasContent(message)) this.#placed.push({ message: asText(message), slots: [] });
      return;
    }
    const open = slots.find(({ result }) => result === undefined);
    if (open !== undefined) open.result = message;
  }
}

function asText(message: ToolResultMessage): Message {
  const name = message.name === undefined ? "a tool" : JSON.stringify(message.name);
  const note = `Result of a call of ${name} that is no longer part of this conversation:`;
  return {
    type: MessageType.user,
    content: [{ type: "text", text: note }, ...message.content.filter(blockHasContent)],
  };
}

function slotsOf(message: Message): readonly CallSlot[] {
  if (message.type !== MessageType.assistant) return [];
  return toolCallsOf(message).map((call) => ({ call, result: undefined }));
}

function groupById(slots: readonly CallSlot[]): ReadonlyMap<string, readonly CallSlot[]> {
  const groups = new Map<string, CallSlot[]>();
  for (const slot of slots) {
    const group = groups.get(slot.call.callId);
    if (group === undefined) groups.set(slot.call.callId, [slot]);
    else group.push(slot);
  }
  return groups;
}
