import { type Message, MessageType } from "@ashlar/context";

/** The text blocks of a message, a line each. */
export function textOf(message: Message): string {
  return message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

export function lastUserText(context: readonly Message[]): string {
  const message = context.findLast(({ type }) => type === MessageType.user);
  return message === undefined ? "" : textOf(message);
}
