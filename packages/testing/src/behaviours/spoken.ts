import type { Part, StreamReply } from "../reply.js";

/** A text as a stream of small pieces, a word each. */
export function spoken(text: string): Part[] {
  return (text.match(/\s*\S+\s*$|\s*\S+/g) ?? [text]).map((piece) => ({ text: piece }));
}

/** An answer of these parts. */
export function saying(...parts: readonly (string | Part)[]): StreamReply {
  return { parts: parts.flatMap((part) => (typeof part === "string" ? spoken(part) : [part])) };
}
