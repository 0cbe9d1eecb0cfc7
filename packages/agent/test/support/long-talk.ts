import type { ContextItem, Message } from "@ashlar/context";
import { messageAssistant, messageSystem, messageUser } from "@ashlar/context";

/** A text of about so many tokens by our estimate, the same each time for a name. */
export function prose(name: string, tokens: number): string {
  const word = `${name} stone `;
  return word.repeat(Math.ceil((tokens * 3.5) / word.length)).trim();
}

export function calling(...ids: string[]): Message {
  return messageAssistant(
    ids.map((callId) => ({ type: "toolCall", callId, name: "read", arguments: { path: `${callId}.md` } })),
  );
}

export function resultOf(callId: string, tokens: number, rest: { readonly error?: boolean } = {}): Message {
  const content = [{ type: "text", text: prose(`result-${callId}`, tokens) }] as const;
  return { type: 4, callId, name: "read", content, ...rest };
}

/** Two turns with a parallel batch and a single call; the last user message is not answered. */
export function talk(tokens = 400): readonly ContextItem[] {
  return [
    messageSystem("You build walls."),
    messageUser(prose("first-question", tokens)),
    calling("A", "B", "C"),
    resultOf("A", tokens),
    resultOf("B", tokens),
    resultOf("C", tokens),
    messageAssistant(prose("first-answer", tokens)),
    messageUser(prose("second-question", tokens)),
    calling("D"),
    resultOf("D", tokens),
    messageUser(prose("third-question", tokens)),
  ];
}

/** One turn whose results are long, and a question that waits. */
export function chat(resultTokens: number): readonly ContextItem[] {
  return [
    messageSystem("You build walls."),
    messageUser(prose("first-question", 200)),
    calling("A", "B", "C"),
    ...["A", "B", "C"].map((id) => resultOf(id, resultTokens)),
    messageAssistant(prose("first-answer", 200)),
    messageUser(prose("second-question", 200)),
  ];
}
