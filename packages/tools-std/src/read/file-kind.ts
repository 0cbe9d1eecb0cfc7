import { mimeDetect } from "@ashlar/context";
import { decodeText, wholeCharactersLength } from "./text/text-decoding.js";

/** How many leading bytes are looked at. */
export const HEAD_BYTES = 8192;

type ContentKind = "text" | "image" | "utf-16" | "binary";

export interface FileContent {
  readonly kind: ContentKind;
  readonly mimetype: string;
}

/** Images that models take. */
const IMAGE_TYPES: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/** What a file holds, told from its first bytes; the name only refines the MIME type. */
export function contentOf(head: Uint8Array, filename: string): FileContent {
  const byBytes = mimeDetect({ bytes: head });
  if (isUtf16(head)) return { kind: "utf-16", mimetype: "text/plain; charset=utf-16" };
  const binary = looksBinary(head, byBytes);
  if (binary && IMAGE_TYPES.includes(byBytes)) return { kind: "image", mimetype: byBytes };
  const mimetype = mimeDetect({ filename, bytes: head });
  if (binary) return { kind: "binary", mimetype };
  return { kind: "text", mimetype: mimetype === "application/octet-stream" ? "text/plain" : mimetype };
}

function isUtf16(head: Uint8Array): boolean {
  return (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
}

function looksBinary(head: Uint8Array, mimetype: string): boolean {
  if (head.includes(0)) return true;
  const { text, invalid } = decodeText(head.subarray(0, wholeCharactersLength(head)));
  if (!invalid) return false;
  if (mimetype !== "application/octet-stream") return true;
  // A Latin-1 text has a few such bytes; data has many.
  return text.split("\ufffd").length - 1 > head.byteLength * 0.3;
}
