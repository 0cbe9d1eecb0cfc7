const MAX_PIECES = 16;

/**
 * The question to the index of three-letter pieces whose answer holds every text that has all the words; undefined when
 * every word is shorter than that. Words are folded.
 */
export function piecesQuery(words: readonly string[]): string | undefined {
  const pieces = new Set<string>();
  for (const word of words) {
    const characters = Array.from(word);
    for (let at = 0; at + 3 <= characters.length && pieces.size < MAX_PIECES; at += 1) {
      pieces.add(characters.slice(at, at + 3).join(""));
    }
  }
  if (pieces.size === 0) return undefined;
  return Array.from(pieces, (piece) => `"${piece.replaceAll('"', '""')}"`).join(" AND ");
}
