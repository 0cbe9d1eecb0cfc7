import { type Block, estimateTokens, messageUser } from "@ashlar/context";
import { boundText } from "../loop/bounded-text.js";
import { CHARACTERS_PER_TOKEN } from "./sizes.js";

/** A user's blocks as they are while they take at most `limit` tokens; then texts are cut in the middle, and attachments are named. */
export function carriedBlocks(blocks: readonly Block[], limit: number): readonly Block[] {
  if (blocks.length === 0 || estimateTokens([messageUser(blocks)]) <= limit) return blocks;
  const each = Math.max(100, Math.floor((limit * CHARACTERS_PER_TOKEN) / blocks.length));
  return blocks.map((block) =>
    block.type === "text"
      ? { type: "text", text: boundText(block.text, each) }
      : { type: "text", text: "(an attachment that is not shown any more)" },
  );
}
