import { type Message, MessageType } from "@ashlar/context";
import { linesOf, textOf } from "./prompt.js";
import type { ResultQuote, Step, TextStep, Turn } from "./script.js";

/** A text as it is said. */
export interface SpokenText {
  readonly text: string;
}
export type SpokenStep = Exclude<Step, TextStep> | SpokenText;
/** A turn with every quote filled in. */
export type SpokenTurn = readonly SpokenStep[];

/** Fills in what the tools returned in this context. */
export function speak(turn: Turn, context: readonly Message[]): SpokenTurn {
  return turn.map((step) => ("text" in step ? { text: spokenText(step, context) } : step));
}

function spokenText({ text }: TextStep, context: readonly Message[]): string {
  if (typeof text === "string") return text;
  return text.map((part) => (typeof part === "string" ? part : quoted(part, context))).join("");
}

function quoted({ result, line = 1 }: ResultQuote, context: readonly Message[]): string {
  const calls = new Map<string, string>();
  let content: string | undefined;
  for (const message of context) {
    if (message.type === MessageType.assistant) {
      for (const block of message.content) if (block.type === "toolCall") calls.set(block.callId, block.name);
    } else if (message.type === MessageType.toolResult) {
      if ((message.name ?? calls.get(message.callId)) === result) content = textOf(message);
    }
  }
  if (content === undefined) return `(no result of ${result})`;
  const lines = linesOf(content).filter((candidate) => candidate !== "");
  return lines.at(line > 0 ? line - 1 : line) ?? `(no line ${line} in the result of ${result})`;
}
