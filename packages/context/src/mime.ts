import { mimeByExtension } from "./mime-extensions.js";

export interface MimeInput {
  readonly filename?: string;
  /** The leading bytes are enough. */
  readonly bytes?: Uint8Array;
}

/** The MIME type by the file name's extension, else by the leading bytes, else `application/octet-stream`. */
export function mimeDetect({ filename, bytes }: MimeInput): string {
  const byName = filename === undefined ? undefined : mimeByExtension(filename);
  return byName ?? (bytes === undefined ? undefined : mimeByBytes(bytes)) ?? "application/octet-stream";
}

interface Signature {
  readonly mime: string;
  /** Latin-1 text of the bytes; `?` is any byte. */
  readonly bytes: string;
  readonly offset?: number;
}

const SIGNATURES: readonly Signature[] = [
  { mime: "image/png", bytes: "\x89PNG\r\n\x1a\n" },
  { mime: "image/jpeg", bytes: "\xff\xd8\xff" },
  { mime: "image/gif", bytes: "GIF8" },
  { mime: "image/webp", bytes: "RIFF????WEBP" },
  { mime: "audio/wav", bytes: "RIFF????WAVE" },
  { mime: "video/x-msvideo", bytes: "RIFF????AVI " },
  { mime: "image/avif", bytes: "ftypavif", offset: 4 },
  { mime: "image/heic", bytes: "ftyphei", offset: 4 },
  { mime: "image/heic", bytes: "ftypmif1", offset: 4 },
  { mime: "video/quicktime", bytes: "ftypqt", offset: 4 },
  { mime: "audio/mp4", bytes: "ftypM4A", offset: 4 },
  { mime: "video/mp4", bytes: "ftyp", offset: 4 },
  { mime: "image/bmp", bytes: "BM????\0\0\0\0" },
  { mime: "image/tiff", bytes: "II*\0" },
  { mime: "image/tiff", bytes: "MM\0*" },
  { mime: "image/vnd.microsoft.icon", bytes: "\0\0\x01\0" },
  { mime: "application/pdf", bytes: "%PDF-" },
  { mime: "application/zip", bytes: "PK\x03\x04" },
  { mime: "application/zip", bytes: "PK\x05\x06" },
  { mime: "application/gzip", bytes: "\x1f\x8b" },
  { mime: "application/zstd", bytes: "\x28\xb5\x2f\xfd" },
  { mime: "application/x-xz", bytes: "\xfd7zXZ\0" },
  { mime: "application/x-bzip2", bytes: "BZh" },
  { mime: "application/x-7z-compressed", bytes: "7z\xbc\xaf\x27\x1c" },
  { mime: "application/x-tar", bytes: "ustar", offset: 257 },
  { mime: "application/wasm", bytes: "\0asm" },
  { mime: "application/vnd.sqlite3", bytes: "SQLite format 3\0" },
  { mime: "audio/mpeg", bytes: "ID3" },
  { mime: "audio/ogg", bytes: "OggS" },
  { mime: "audio/flac", bytes: "fLaC" },
  { mime: "video/webm", bytes: "\x1aE\xdf\xa3" },
];

function mimeByBytes(bytes: Uint8Array): string | undefined {
  return SIGNATURES.find((signature) => hasSignature(bytes, signature))?.mime;
}

function hasSignature(bytes: Uint8Array, { bytes: wanted, offset = 0 }: Signature): boolean {
  if (bytes.length < offset + wanted.length) return false;
  for (let index = 0; index < wanted.length; index += 1) {
    if (wanted[index] !== "?" && bytes[offset + index] !== wanted.charCodeAt(index)) return false;
  }
  return true;
}
