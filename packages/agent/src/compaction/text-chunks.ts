import { estimateTokens, messageUser } from "@ashlar/context";

/** Our estimate for a text, uncorrected. */
export function textTokens(text: string): number {
  return text === "" ? 0 : estimateTokens([messageUser(text)]);
}

/** Joins pieces, in order, to texts of at most `limit` tokens; a piece that is larger is cut between characters. */
export function chunkTexts(pieces: readonly string[], limit: number): readonly string[] {
  const chunks: string[] = [];
  let chunk: string[] = [];
  let size = 0;
  const close = (): void => {
    if (chunk.length > 0) chunks.push(chunk.join("\n\n"));
    chunk = [];
    size = 0;
  };
  for (const piece of pieces.flatMap((text) => slices(text, limit))) {
    const tokens = textTokens(piece) + 1;
    if (size + tokens > limit) close();
    chunk.push(piece);
    size += tokens;
  }
  close();
  return chunks;
}

/** Halves a text until each part fits. */
function slices(text: string, limit: number): readonly string[] {
  if (text.length < 2 || textTokens(text) < limit) return [text];
  const middle = text.length >> 1;
  const unit = text.charCodeAt(middle);
  const cut = unit >= 0xdc00 && unit <= 0xdfff && middle > 1 ? middle - 1 : middle;
  return [...slices(text.slice(0, cut), limit), ...slices(text.slice(cut), limit)];
}
