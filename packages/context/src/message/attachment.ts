import { frozenCopy } from "../json/frozen-copy.js";
import type { BinaryBlock, ImageBlock } from "../message.js";
import { mimeDetect } from "../mime.js";

export interface AttachmentInput {
  readonly bytes: Uint8Array;
  /** Any path; the block keeps its base name. */
  readonly filename?: string;
  /** Default: detected. */
  readonly mimetype?: string;
}

/** The block that carries a file: an image as `image`, anything else as `binary`. */
export function contentBinary({ bytes, filename, mimetype }: AttachmentInput): ImageBlock | BinaryBlock {
  const mime = mimetype ?? mimeDetect(filename === undefined ? { bytes } : { filename, bytes });
  const content = base64(bytes);
  if (mime.startsWith("image/") && mime !== SVG)
    return frozenCopy({ type: "image", content, mimetype: mime }, "attachment");
  const name = filename === undefined ? {} : { filename: filename.slice(filename.search(/[^/\\]*$/)) };
  return frozenCopy({ type: "binary", content, mimetype: mime, ...name }, "attachment");
}

/** Text, whatever its name says: vision models refuse it. */
const SVG = "image/svg+xml";

/** Few enough arguments for one call. */
const CHUNK = 0x2000;

function base64(bytes: Uint8Array): string {
  const chunks: string[] = [];
  for (let start = 0; start < bytes.length; start += CHUNK) {
    chunks.push(String.fromCharCode(...bytes.subarray(start, start + CHUNK)));
  }
  return btoa(chunks.join(""));
}
