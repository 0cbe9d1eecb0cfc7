/** What the processes of one call may use. */
export interface IsolationLimits {
  /** The largest file that may be written. */
  readonly fileBytes: number;
  /** Memory of all of them together; undefined: no limit. */
  readonly memoryBytes: number | undefined;
  /** Processes and threads together. */
  readonly processes: number;
  /** Size of the private temporary folder. */
  readonly temporaryBytes: number;
}
