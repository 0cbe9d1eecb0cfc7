export type LineEnd = "\n" | "\r\n";

export interface LineEndPlace {
  readonly raw: Buffer;
  /** What is really replaced. */
  readonly start: number;
  readonly end: number;
  /** The text it was found in, around it. */
  readonly around: { readonly start: number; readonly end: number };
}

/**
 * The line end that new lines at a place take: that of the text they replace, else of the line it ends in, else of the
 * line before. Undefined in a file without line ends.
 */
export function lineEndAt({ raw, start, end, around }: LineEndPlace): LineEnd | undefined {
  const next = raw.indexOf("\n", end);
  const previous = start === 0 ? -1 : raw.lastIndexOf("\n", start - 1);
  return (
    dominant(raw.subarray(start, end)) ??
    dominant(raw.subarray(around.start, around.end)) ??
    lineEndBefore(raw, next) ??
    lineEndBefore(raw, previous)
  );
}

/** The line end that stands there most; the first on a tie. */
export function dominant(bytes: Buffer): LineEnd | undefined {
  let crlf = 0;
  let lf = 0;
  let first: LineEnd | undefined;
  for (let at = bytes.indexOf("\n"); at >= 0; at = bytes.indexOf("\n", at + 1)) {
    const end = lineEndBefore(bytes, at);
    first ??= end;
    if (end === "\r\n") crlf += 1;
    else lf += 1;
  }
  if (crlf === lf) return first;
  return crlf > lf ? "\r\n" : "\n";
}

function lineEndBefore(bytes: Buffer, newline: number): LineEnd | undefined {
  if (newline < 0) return undefined;
  return newline > 0 && bytes[newline - 1] === 0x0d ? "\r\n" : "\n";
}
