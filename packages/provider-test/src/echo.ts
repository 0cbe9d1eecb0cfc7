import type { Message } from "@ashlar/context";
import { lastUserText } from "./prompt.js";
import type { Turn } from "./script.js";

/** Answers the text of the last user message. */
export function echo(context: readonly Message[]): Turn {
  return [{ text: lastUserText(context) || "(nothing to echo)" }];
}
