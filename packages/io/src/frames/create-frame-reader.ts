import type { Framing } from "../wire/wire.js";
import type { FrameReader, OnFrame } from "./frame-reader.js";
import { createJsonReader } from "./json.js";
import { createNdjsonReader } from "./ndjson.js";
import { createSseReader } from "./sse.js";

/** The reader for a response. A server that was asked for an event stream may answer with one JSON value, and says so. */
export function createFrameReader(framing: Framing, contentType: string, onFrame: OnFrame): FrameReader {
  if (framing === "ndjson") return createNdjsonReader(onFrame);
  return /^\s*application\/json\b/i.test(contentType) ? createJsonReader(onFrame) : createSseReader(onFrame);
}
