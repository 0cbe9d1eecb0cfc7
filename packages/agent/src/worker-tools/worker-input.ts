/** A worker as a model asks for it. */
export interface WorkerInput {
  readonly name: string;
  readonly model?: string | undefined;
  readonly thinking?: string | undefined;
  readonly description?: string | undefined;
  readonly safe?: boolean | undefined;
  readonly subfolder?: string | undefined;
}

/** The arguments of `worker-create`. */
export interface WorkerCreateInput {
  readonly workers: readonly WorkerInput[];
  readonly prompt?: string | undefined;
}

/** The arguments of `worker-message`. */
export interface WorkerMessageInput {
  /** Names, `/patterns/` or `*`. */
  readonly workers: readonly string[];
  readonly prompt: string;
}

/** The arguments of `worker-status`. */
export interface WorkerStatusInput {
  readonly workers?: boolean | undefined;
  readonly models?: boolean | undefined;
  readonly commands?: boolean | undefined;
}

/** The arguments of `worker-close`. */
export interface WorkerCloseInput {
  /** Names, `/patterns/` or `*`. */
  readonly workers: readonly string[];
}
