import type { Framing } from "../wire/wire.js";
import type { FrameReader, OnFrame } from "./frame-reader.js";
import { createJsonReader } from "./json.js";
import { createNdjsonReader } from "./ndjson.js";
import { createSseReader } from "./sse.js";

/** Larger texts with characters beyond Latin-1 leave the young heap of V8 and cost half as much again to decode. */
const BLOCK_BYTES = 32 * 1024;

/** The reader for a response. A server that was asked for an event stream may answer with one JSON value, and says so. */
export function createFrameReader(framing: Framing, contentType: string, onFrame: OnFrame): FrameReader {
  const reader = readerOf(framing, contentType, onFrame);
  return {
    push(chunk) {
      if (chunk.length <= BLOCK_BYTES) return reader.push(chunk);
      for (let at = 0; at < chunk.length; at += BLOCK_BYTES) {
        if (reader.push(chunk.subarray(at, at + BLOCK_BYTES))) return true;
      }
      return false;
    },
    end: reader.end,
  };
}

function readerOf(framing: Framing, contentType: string, onFrame: OnFrame): FrameReader {
  if (framing === "ndjson") return createNdjsonReader(onFrame);
  return /^\s*application\/json\b/i.test(contentType) ? createJsonReader(onFrame) : createSseReader(onFrame);
}
