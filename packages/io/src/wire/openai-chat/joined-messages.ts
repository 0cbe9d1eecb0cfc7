import type { ChatMessage } from "./chat-message.js";

/** Neighbouring messages of the user as one, for templates that want roles to alternate. Texts are a blank line apart; parts stay parts. */
export function joinUserMessages(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const joined: ChatMessage[] = [];
  for (let first = 0; first < messages.length; ) {
    const end = endOfTurn(messages, first);
    const message = messages[first];
    if (message !== undefined)
      joined.push(end - first === 1 ? message : userMessage(messages.slice(first, end)));
    first = end;
  }
  return joined;
}

/** Where the user's turn that begins here ends; anybody else's has one message. */
function endOfTurn(messages: readonly ChatMessage[], first: number): number {
  let end = first;
  while (messages[end]?.role === "user") end += 1;
  return Math.max(end, first + 1);
}

function userMessage(turn: readonly ChatMessage[]): ChatMessage {
  const contents = turn.map(({ content }) => content);
  if (contents.every((content) => typeof content === "string")) {
    return { role: "user", content: contents.join("\n\n") };
  }
  return { role: "user", content: contents.flatMap(partsOf) };
}

function partsOf(content: unknown): unknown {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}
