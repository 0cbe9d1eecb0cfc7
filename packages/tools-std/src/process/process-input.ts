/** The arguments of `process`. */
export interface ProcessInput {
  readonly action: "list" | "output" | "stop";
  /** Of a background command; not with `list`. */
  readonly id?: string | undefined;
  /** Byte offset of the output, from 0. */
  readonly from?: number | undefined;
}
