import type { RecordedWire } from "./subject.js";

const CONTENT_TYPES = { ndjson: "application/x-ndjson", sse: "text/event-stream" } as const;

/** The bytes of each frame, as the server of this wire sends it. */
export function frameBytes(wire: RecordedWire, frames: readonly unknown[]): readonly Uint8Array[] {
  const encoder = new TextEncoder();
  return frames.map((frame) => {
    const encoded = encode(wire.framing, frame);
    return typeof encoded === "string" ? encoder.encode(encoded) : encoded;
  });
}

export function contentTypeOf({ contentType, framing }: RecordedWire): string {
  if (contentType !== undefined) return contentType;
  return typeof framing === "string" ? CONTENT_TYPES[framing] : "application/octet-stream";
}

export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

export function eachByte(bytes: Uint8Array): readonly Uint8Array[] {
  return Array.from(bytes, (_, i) => bytes.subarray(i, i + 1));
}

/** The bytes in pieces that each end inside a character of more than one byte. */
export function cutInsideCharacters(bytes: Uint8Array): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (let i = 1; i < bytes.length; i++) {
    const continues = ((bytes[i] ?? 0) & 0xc0) === 0x80;
    if (!continues) continue;
    pieces.push(bytes.subarray(from, i));
    from = i;
  }
  return [...pieces, bytes.subarray(from)];
}

function encode(framing: RecordedWire["framing"], frame: unknown): string | Uint8Array {
  if (typeof framing === "function") return framing(frame);
  if (framing === "ndjson") return `${JSON.stringify(frame)}\n`;
  return `data: ${typeof frame === "string" ? frame : JSON.stringify(frame)}\n\n`;
}
