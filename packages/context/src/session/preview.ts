import { contentText } from "../message/content.js";
import { MessageType } from "../message.js";
import type { SessionEntry } from "./entry.js";

const MAX_CHARACTERS = 72;

/** The first line of words in what the user said, at most 72 characters; undefined when there is none. */
export function previewOf(entry: SessionEntry): string | undefined {
  if (entry.kind !== "message" || entry.message.type !== MessageType.user) return undefined;
  // More than this cannot show, and a pasted file may be long.
  const lines = contentText(entry.message).slice(0, 4_000).split("\n");
  const line = lines
    .map((text) => text.replace(/^[\s>#*`~-]+/, "").trim())
    .find((text) => /[\p{L}\p{N}]/u.test(text));
  if (line === undefined) return undefined;
  const characters = Array.from(line);
  return characters.length <= MAX_CHARACTERS ? line : `${characters.slice(0, MAX_CHARACTERS - 1).join("")}…`;
}
