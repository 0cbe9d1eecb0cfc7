/** What was kept of a stream: all of it in `head` when nothing was cut, else its two ends. */
export interface BoundedOutput {
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
  /** Bytes dropped between `head` and `tail`. */
  readonly cutBytes: number;
}
