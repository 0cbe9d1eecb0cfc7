/** An agent to be made below the calling one. What is left out is the caller's. */
export interface WorkerRequest {
  /** Unlike that of any open agent. */
  readonly name: string;
  /** Qualified `endpoint/model`. */
  readonly model?: string;
  readonly thinking?: string;
  readonly description?: string;
  /** It may only read. */
  readonly safe?: boolean;
  /** Inside the caller's folder. */
  readonly subfolder?: string;
}

export interface Worker {
  readonly name: string;
  readonly description: string;
  readonly model: string;
  readonly state: "idle" | "busy";
  /** Messages that wait for its next request. */
  readonly pending: number;
  /** Absolute. */
  readonly folder: string;
}

export interface WorkerModel {
  /** Qualified `endpoint/model`. */
  readonly model: string;
  /** Agents that may still begin to work with it now, and how many may at one time. */
  readonly available: number;
  readonly maxActive: number;
}

export interface ClosedWorker {
  readonly name: string;
  /** `finished`: it was at work, was asked to hand off, and did. `cancelled`: it did not in time. */
  readonly end: "idle" | "finished" | "cancelled";
}

/**
 * The agents that the calling one has at its side; what they answer reaches it as user messages. Names are those of open
 * workers, `/patterns/` over them, or `*` for all. Each rejects, with nothing done, when any part of it cannot be done.
 */
export interface Workers {
  /** Asks the person first, where nothing was decided. With a prompt, all begin to work on it. */
  readonly create: (
    workers: readonly WorkerRequest[],
    options: { readonly prompt?: string | undefined },
  ) => Promise<readonly Worker[]>;
  /** An idle worker begins to work on it; a busy one gets it with its next request. */
  readonly message: (names: readonly string[], prompt: string) => Promise<readonly Worker[]>;
  readonly list: () => readonly Worker[];
  readonly models: () => readonly WorkerModel[];
  /** What a prompt may begin with, such as `/review`. */
  readonly commands: () => Promise<readonly string[]>;
  /** Those at work are asked to hand off, and have until shortly before the call's deadline. */
  readonly close: (names: readonly string[]) => Promise<readonly ClosedWorker[]>;
}
