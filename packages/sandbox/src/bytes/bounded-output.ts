import { GrowingBytes } from "./growing-bytes.js";

/** What was kept of a stream: all of it in `head` when nothing was cut, else its two ends. */
export interface BoundedOutput {
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
  /** Bytes dropped between `head` and `tail`. */
  readonly cutBytes: number;
}

export const EMPTY_OUTPUT: BoundedOutput = { head: new Uint8Array(), tail: new Uint8Array(), cutBytes: 0 };

/** Keeps the first and the last half of `maxBytes` of a stream. */
export class OutputKeeper {
  readonly #headMax: number;
  readonly #tailMax: number;
  readonly #head = new GrowingBytes();
  #ring: Uint8Array | undefined;
  /** Of the stream behind the head. */
  #behind = 0;

  constructor(maxBytes: number) {
    this.#headMax = Math.ceil(maxBytes / 2);
    this.#tailMax = Math.floor(maxBytes / 2);
  }

  push(chunk: Uint8Array): void {
    const toHead = Math.min(chunk.length, this.#headMax - this.#head.length);
    this.#head.append(chunk.subarray(0, toHead));
    if (toHead < chunk.length) this.#keepTail(chunk.subarray(toHead));
  }

  result(): BoundedOutput {
    const kept = this.#tail();
    const cutBytes = this.#behind - kept.length;
    const head = this.#head.view().slice();
    if (cutBytes > 0) return { head, tail: kept, cutBytes };
    const all = new GrowingBytes();
    all.append(head);
    all.append(kept);
    return { head: all.view(), tail: new Uint8Array(), cutBytes: 0 };
  }

  #keepTail(chunk: Uint8Array): void {
    this.#ring ??= new Uint8Array(this.#tailMax);
    const skipped = Math.max(0, chunk.length - this.#tailMax);
    const kept = chunk.subarray(skipped);
    const at = this.#tailMax > 0 ? (this.#behind + skipped) % this.#tailMax : 0;
    const first = kept.subarray(0, this.#tailMax - at);
    this.#ring.set(first, at);
    this.#ring.set(kept.subarray(first.length), 0);
    this.#behind += chunk.length;
  }

  #tail(): Uint8Array {
    if (!this.#ring) return new Uint8Array();
    if (this.#behind <= this.#tailMax) return this.#ring.slice(0, this.#behind);
    const at = this.#tailMax > 0 ? this.#behind % this.#tailMax : 0;
    const tail = new GrowingBytes();
    tail.append(this.#ring.subarray(at));
    tail.append(this.#ring.subarray(0, at));
    return tail.view();
  }
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

const characterBytes = (lead: number): number => (lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1);

/** Without the UTF-8 character that the cut left in two. */
function withoutCutCharacter(head: Uint8Array): Uint8Array {
  let lead = head.length - 1;
  while (lead > head.length - 4 && isContinuation(head[lead])) lead -= 1;
  const isWhole = lead < 0 || lead + characterBytes(head[lead] ?? 0) <= head.length;
  return isWhole ? head : head.subarray(0, lead);
}

function fromFirstCharacter(tail: Uint8Array): Uint8Array {
  let start = 0;
  while (start < 3 && isContinuation(tail[start])) start += 1;
  return tail.subarray(start);
}

/** The text, with a line that says how much is missing where something was cut. What is not UTF-8 becomes U+FFFD. */
export function outputText({ head, tail, cutBytes }: BoundedOutput): string {
  const decoder = new TextDecoder();
  if (cutBytes === 0) return decoder.decode(head);
  const before = decoder.decode(withoutCutCharacter(head));
  return `${before}\n[… ${cutBytes} bytes cut …]\n${decoder.decode(fromFirstCharacter(tail))}`;
}
