import type { Message } from "@ashlar/context";
import { lastUserText } from "./prompt.js";
import type { SpokenTurn } from "./spoken-turn.js";

/** Answers the text of the last user message. */
export function echo(context: readonly Message[]): SpokenTurn {
  return [{ text: lastUserText(context) || "(nothing to echo)" }];
}
