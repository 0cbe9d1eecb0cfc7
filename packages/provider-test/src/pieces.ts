const PIECE_CHARACTERS = 12;

/** Cuts a text into pieces as a model streams them: after blanks where possible, never inside a character. */
export function* pieces(text: string): Generator<string> {
  let piece = "";
  let characters = 0;
  for (const character of text) {
    piece += character;
    characters += 1;
    if (characters >= PIECE_CHARACTERS || (characters >= PIECE_CHARACTERS / 2 && character === " ")) {
      yield piece;
      piece = "";
      characters = 0;
    }
  }
  if (piece !== "") yield piece;
}
