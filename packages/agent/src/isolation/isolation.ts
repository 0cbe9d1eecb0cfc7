import type { IsolationPolicy } from "./isolation-policy.js";

/** What a mechanism holds back. */
export interface Confinement {
  readonly files: boolean;
  readonly network: boolean;
  /** True if no process outlives its call, and none outside can be seen or signalled. */
  readonly processes: boolean;
}

/** What was found when the mechanism was really started. */
export interface IsolationProbe {
  readonly confines: Confinement;
  /** Why it confines less than everything, and what to do about it, each in a sentence or two. */
  readonly reason?: string;
  readonly remedy?: string;
}

/** One call of one function of a tool module, as the isolation starts it. */
export interface IsolatedRequest {
  /** Absolute path of the module. */
  readonly file: string;
  /** The function's name. */
  readonly name: string;
  readonly args: unknown;
  readonly callId: string;
  /** The call must change nothing. */
  readonly safe: boolean;
  /** Epoch milliseconds; asked again after each question, while which the clock stood. */
  readonly deadline: () => number;
  readonly projectFolder: string;
  /** Credentials already taken out. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly policy: IsolationPolicy;
  /** Live output for viewers. */
  readonly onData: (chunk: string) => void;
  readonly services: HostServices;
}

/** What the tool may ask of its host while it runs. `args` and results are JSON. */
export interface HostServices {
  /** Names of the services that are there: `question`, `background`, `changes`, `skills`. */
  readonly names: readonly ServiceName[];
  /** Rejects with what the tool should be told. */
  readonly perform: (service: ServiceName, method: string, args: readonly unknown[]) => Promise<unknown>;
}

export type ServiceName = "question" | "background" | "changes" | "skills";

/** A call that was started. */
export interface IsolatedRun {
  /** What the function returned; rejects with what it threw, or with how its process ended. */
  readonly result: Promise<unknown>;
  /** Tells the tool that its time is up; resolves with what its `onTimeout` gives. Undefined: no last word. */
  readonly lastWord: () => Promise<unknown>;
  /** Ends whatever the call still runs; resolves when nothing of it is left. */
  readonly end: () => Promise<void>;
}

export interface CommandRequest {
  readonly command: string;
  /** Added to the environment of the policy. */
  readonly environment: Readonly<Record<string, string>>;
  readonly policy: IsolationPolicy;
  readonly onOutput: (bytes: Uint8Array) => void;
}

/** A command line that was started. */
export interface IsolatedCommand {
  /** How it ended, once nothing of it is left. One of the two is null. */
  readonly exited: Promise<{ readonly exitCode: number | null; readonly signal: string | null }>;
  readonly end: () => Promise<void>;
}

/**
 * Where calls that change something run. An agent whose isolation confines less than files, network and processes is
 * read-only. Throws kind `refused` for what it cannot take; then nothing was run.
 */
export interface Isolation {
  /** Asked before the first mutation, and then not again. */
  readonly probe: () => Promise<IsolationProbe>;
  readonly call: (request: IsolatedRequest) => Promise<IsolatedRun>;
  /** Starts a command line that goes on after its call. */
  readonly background: (request: CommandRequest) => Promise<IsolatedCommand>;
  /** Ends everything that still runs. */
  readonly close: () => Promise<void>;
}

/** Why nothing may be changed with this isolation; undefined when it confines everything. */
export function isolationRefusal({ confines, reason, remedy }: IsolationProbe): string | undefined {
  const open = (["files", "network", "processes"] as const).filter((what) => confines[what] !== true);
  if (open.length === 0) return undefined;
  const why = reason ?? `what is there does not confine ${open.join(" and ")}`;
  return `no sandbox: ${[why, remedy ?? ""]
    .filter((text) => text.trim() !== "")
    .map(sentence)
    .join(" ")}`;
}

function sentence(text: string): string {
  return /[.!?]$/u.test(text.trim()) ? text.trim() : `${text.trim()}.`;
}
