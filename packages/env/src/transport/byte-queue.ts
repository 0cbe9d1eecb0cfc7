/** What one pull hands out at most, so that joining stays cheap. */
const MAX_JOINED_BYTES = 256 * 1024;

/** Bytes that arrived and were not taken yet. Small pieces leave joined: a reader pays per pull, not per piece. */
export class ByteQueue {
  #pieces: Uint8Array[] = [];
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  push(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#bytes += piece.length;
  }

  /** The oldest bytes, or undefined when there are none. A lone piece is handed on uncopied. */
  take(): Uint8Array | undefined {
    const pieces = this.#pieces;
    const first = pieces[0];
    if (first === undefined) return undefined;
    if (pieces.length === 1) {
      this.#pieces = [];
      this.#bytes = 0;
      return first;
    }
    return this.#join(pieces, first.length);
  }

  clear(): void {
    this.#pieces = [];
    this.#bytes = 0;
  }

  #join(pieces: readonly Uint8Array[], firstBytes: number): Uint8Array {
    let bytes = firstBytes;
    let count = 1;
    for (; count < pieces.length; count++) {
      const next = bytes + (pieces[count]?.length ?? 0);
      if (next > MAX_JOINED_BYTES) break;
      bytes = next;
    }
    const joined = new Uint8Array(bytes);
    let offset = 0;
    for (let index = 0; index < count; index++) {
      const piece = pieces[index];
      if (piece === undefined) break;
      joined.set(piece, offset);
      offset += piece.length;
    }
    this.#pieces = count === pieces.length ? [] : pieces.slice(count);
    this.#bytes -= bytes;
    return joined;
  }
}
