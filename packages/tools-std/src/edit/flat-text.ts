const NEWLINE = 0x0a;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * The bytes of a text with each CRLF as LF, and the way back. Bytes, so that what is no UTF-8 stays what it is; a text
 * that is UTF-8 is found in them at whole characters only.
 */
export interface FlatText {
  /** Without byte order mark. */
  readonly flat: Buffer;
  readonly hasBom: boolean;
  /** Where a position of `flat` lies in the file; before the CR of a line end. */
  readonly rawAt: (position: number) => number;
}

export function flatText(raw: Buffer): FlatText {
  const hasBom = raw.subarray(0, 3).equals(BOM);
  const start = hasBom ? BOM.byteLength : 0;
  /** Positions in `flat` of line ends that had a CR, ascending. */
  const dropped: number[] = [];
  const rawAt = (position: number): number => start + position + countBelow(dropped, position);
  const first = raw.indexOf("\r\n", start);
  if (first < 0) return { flat: raw.subarray(start), hasBom, rawAt };
  const flat = Buffer.allocUnsafe(raw.byteLength - start);
  let from = start;
  let length = 0;
  for (let at = first; at >= 0; at = raw.indexOf("\r\n", at + 2)) {
    length += raw.copy(flat, length, from, at);
    dropped.push(length);
    from = at + 1;
  }
  length += raw.copy(flat, length, from);
  return { flat: flat.subarray(0, length), hasBom, rawAt };
}

/** How many of the ascending numbers lie below the limit. */
function countBelow(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Line number, from 1, of a position. */
export function lineAt(bytes: Buffer, position: number): number {
  return countNewlines(bytes.subarray(0, position)) + 1;
}

export function countNewlines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}
