import { IOError } from "../io-error.js";

/** Takes one parsed frame; null is the end of the response. Answers true when it wants no more. */
export type OnFrame = (frame: unknown) => boolean;

/**
 * Cuts a response body into frames and hands them on at once, in order. A frame of JSON `null` is skipped.
 * Throws kind `malformed` for a complete frame that is not JSON, `network` for a body that ends inside a frame.
 */
export interface FrameReader {
  /** True: nothing more is wanted, whatever follows. */
  readonly push: (chunk: Uint8Array) => boolean;
  /** The body has ended: hands on a last frame without its line end, then null. */
  readonly end: () => void;
}

const EXCERPT_CHARACTERS = 120;

/** The parsed frame. Throws kind `malformed` with the beginning of the text. */
export function parseFrame(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new IOError(
      "malformed",
      `The server sent a frame that is not JSON: ${excerpt(text)}`,
      {},
      { cause },
    );
  }
}

/** The parsed last frame of a body: text that does not parse was cut off by the end of the connection. */
export function parseLastFrame(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = `The response ended inside a frame: ${excerpt(text)}`;
    throw new IOError("network", message, { code: "torn" }, { cause });
  }
}

function excerpt(text: string): string {
  const start = text.slice(0, EXCERPT_CHARACTERS);
  return (
    JSON.stringify(start) +
    (text.length > start.length ? ` and ${text.length - start.length} more characters` : "")
  );
}
