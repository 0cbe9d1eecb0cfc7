const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

/** What a text shows differently from its bytes. */
export interface DecodedText {
  readonly text: string;
  /** Bytes that are not UTF-8 are shown as U+FFFD. */
  readonly invalid: boolean;
  /** NUL is shown as U+2400. */
  readonly nul: boolean;
}

/** Decodes UTF-8. Well-formed whatever comes. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const nul = bytes.includes(0);
  const { text, invalid } = decodeUtf8(bytes);
  return { text: nul ? text.replaceAll("\0", "\u2400") : text, invalid, nul };
}

function decodeUtf8(bytes: Uint8Array): { readonly text: string; readonly invalid: boolean } {
  try {
    return { text: strict.decode(bytes), invalid: false };
  } catch {
    // Not UTF-8: what can be read is shown, the rest is marked.
    return { text: lenient.decode(bytes), invalid: true };
  }
}

/** The length of `bytes` without a character that is cut off at its end. */
export function wholeCharactersLength(bytes: Uint8Array): number {
  const end = bytes.byteLength;
  for (let back = 1; back <= Math.min(4, end); back += 1) {
    const byte = bytes[end - back] ?? 0;
    if (isContinuation(byte)) continue;
    return byte >= 0xc0 && sequenceLength(byte) > back ? end - back : end;
  }
  return end;
}

/** How many bytes at the start belong to a character that began before. */
export function continuationLength(bytes: Uint8Array): number {
  let count = 0;
  while (count < 3 && count < bytes.byteLength && isContinuation(bytes[count] ?? 0)) count += 1;
  return count;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}

/** True when the file begins with a UTF-8 byte order mark. */
export function hasBom(head: Uint8Array): boolean {
  return head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf;
}
