import { type FrameReader, type OnFrame, parseFrame, parseLastFrame } from "./frame-reader.js";
import { LineBuffer } from "./line-buffer.js";

/** Reads one JSON value a line; blank lines carry nothing. */
export function createNdjsonReader(onFrame: OnFrame, maxLineBytes?: number): FrameReader {
  const lines = new LineBuffer(maxLineBytes);
  const read = (text: string): boolean => {
    let from = 0;
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", from)) {
      const line = text.slice(from, at);
      from = at + 1;
      if (isBlank(line)) continue;
      const frame = parseFrame(line);
      if (frame !== null && onFrame(frame)) return true;
    }
    return false;
  };
  return {
    push: (chunk) => lines.take(chunk, read),
    end() {
      const line = lines.rest();
      if (!isBlank(line)) {
        const frame = parseLastFrame(line);
        if (frame !== null && onFrame(frame)) return;
      }
      onFrame(null);
    },
  };
}

const SPACE = 0x20;

/** Looks at one character of nearly every line. */
function isBlank(line: string): boolean {
  return line === "" || (line.charCodeAt(0) <= SPACE && line.trim() === "");
}
