import { type Message, MessageType } from "@ashlar/context";

const LINE_NUMBER = /^\s*\d+\t/;

/** The text blocks of a message, a line each. */
export function textOf(message: Message): string {
  return message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

export function lastUserText(context: readonly Message[]): string {
  const message = context.findLast(({ type }) => type === MessageType.user);
  return message === undefined ? "" : textOf(message);
}

/** The lines of a tool's result, trimmed, without the numbers that tools put before them. */
export function linesOf(content: string): readonly string[] {
  return content.split("\n").map((line) => line.replace(LINE_NUMBER, "").trim());
}
