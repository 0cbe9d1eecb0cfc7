/** What a worker module's default export is called with, inside the sandbox. */
export interface WorkerChannel {
  /** Sends any JSON value to the host. Throws a TypeError for what JSON cannot hold, or a line over the limit. */
  readonly send: (value: unknown) => void;
  /** Takes each value the host sends, in order; those that came before wait for the first listener. */
  readonly onMessage: (listener: (value: unknown) => void) => void;
}

/** The default export of a worker module. */
export type WorkerModule = (channel: WorkerChannel) => void | Promise<void>;
