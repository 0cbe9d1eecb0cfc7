/** At most `length` UTF-16 units from the start, no character cut in half. */
export function cutStart(text: string, length: number): string {
  if (text.length <= length) return text;
  return text.slice(0, splitsPair(text, length) ? length - 1 : length);
}

/** The same from the end. */
export function cutEnd(text: string, length: number): string {
  const start = text.length - length;
  if (start <= 0) return text;
  return text.slice(splitsPair(text, start) ? start + 1 : start);
}

/** Do the two halves of one character lie on both sides of `index`? */
function splitsPair(text: string, index: number): boolean {
  const before = text.charCodeAt(index - 1);
  const after = text.charCodeAt(index);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
