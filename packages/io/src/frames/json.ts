import { IOError } from "../io-error.js";
import { type FrameReader, type OnFrame, parseLastFrame } from "./frame-reader.js";
import { MAX_LINE_BYTES } from "./line-buffer.js";

/** Reads a body that is one JSON value on any number of lines: a server that did not stream. */
export function createJsonReader(onFrame: OnFrame, maxBytes: number = MAX_LINE_BYTES): FrameReader {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let bytes = 0;
  return {
    push(chunk) {
      bytes += chunk.length;
      if (bytes > maxBytes) {
        throw new IOError("malformed", `The server sent a body of more than ${maxBytes} bytes.`, {});
      }
      parts.push(decoder.decode(chunk, { stream: true }));
      return false;
    },
    end() {
      const text = parts.join("") + decoder.decode();
      if (text.trim() === "" || !onFrame(parseLastFrame(text))) onFrame(null);
    },
  };
}
