/** Limits of one request, in milliseconds; 0 means none. */
export interface Timeouts {
  /** Until the connection stands. */
  readonly connectMs?: number;
  /** From sending to the first event of the model. */
  readonly firstEventMs?: number;
  /** Between two events of the model; keep-alives do not count. */
  readonly idleMs?: number;
  /** The whole request. */
  readonly overallMs?: number;
}
