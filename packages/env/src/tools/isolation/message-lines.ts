/** Cuts a byte stream into lines at 0x0A, keeping what is unfinished. `push` throws when one line passes `maxBytes`. */
export interface MessageLines {
  readonly push: (chunk: Uint8Array) => readonly string[];
}

export function createMessageLines(maxBytes: number): MessageLines {
  let parts: Uint8Array[] = [];
  let length = 0;
  const take = (part: Uint8Array): void => {
    length += part.byteLength;
    if (length > maxBytes) throw new RangeError(`a message is longer than ${maxBytes} bytes`);
    parts.push(part);
  };
  const finish = (): string => {
    const line = Buffer.concat(parts, length).toString("utf8");
    parts = [];
    length = 0;
    return line;
  };
  return {
    push: (chunk) => {
      const lines: string[] = [];
      let start = 0;
      for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
        take(chunk.subarray(start, end));
        lines.push(finish());
        start = end + 1;
      }
      if (start < chunk.byteLength) take(chunk.subarray(start));
      return lines;
    },
  };
}
