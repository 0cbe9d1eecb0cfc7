export interface MimeInput {
  readonly filename?: string;
  /** The leading bytes are enough. */
  readonly bytes?: Uint8Array;
}

const FALLBACK = "application/octet-stream";

/** The MIME type by the file name's extension, else by the leading bytes, else `application/octet-stream`. */
export function mimeDetect(_input: MimeInput): string {
  return FALLBACK;
}
