/** Characters of one result that reach the model. */
export const MAX_RESULT_CHARACTERS = 262_144;

/** Keeps the beginning and the end of a long text and says how much is missing; never cuts inside a character. */
export function boundText(text: string, limit: number = MAX_RESULT_CHARACTERS): string {
  if (text.length <= limit) return text;
  const head = sliceStart(text, Math.floor(limit * 0.75));
  const tail = sliceEnd(text, limit - head.length);
  const missing = text.length - head.length - tail.length;
  return `${head}\n[${missing} characters left out here]\n${tail}`;
}

function sliceStart(text: string, length: number): string {
  return text.slice(0, splitsPair(text, length) ? length - 1 : length);
}

function sliceEnd(text: string, length: number): string {
  const start = text.length - length;
  return text.slice(splitsPair(text, start) ? start + 1 : start);
}

/** True when the two halves of one character lie on both sides of `index`. */
function splitsPair(text: string, index: number): boolean {
  const before = text.charCodeAt(index - 1);
  const after = text.charCodeAt(index);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
