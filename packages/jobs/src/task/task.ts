import type { Schedule } from "../schedule/schedule.js";

/** Limits a task sets itself; they count only where they are below those of the settings. */
export interface TaskBudget {
  readonly requests?: number;
  readonly tokens?: number;
  /** Milliseconds. */
  readonly duration?: number;
  /** US dollars. */
  readonly cost?: number;
  readonly depth?: number;
  readonly width?: number;
  readonly repeats?: number;
}

/** What a task file asks for. */
export interface Task {
  /** Names its history; default: the name of the file. */
  readonly id: string;
  readonly filename: string;
  readonly prompt: string;
  readonly enabled: boolean;
  readonly schedule: Schedule;
  /** Names of the tools it may use; default: all. */
  readonly tools?: readonly string[];
  /** Milliseconds for the whole job; default: the budget's duration alone. */
  readonly timeoutMs?: number;
  /** `endpoint/model`; default: the caller's, then the project's. */
  readonly model?: string;
  readonly budget?: TaskBudget;
  /** `none`: nothing the job runs reaches a network. */
  readonly network?: "none";
}

/** A task file as it was read, or the reason why it is none. */
export type ParsedTask =
  | {
      readonly ok: true;
      readonly task: Task;
      /** What was read differently from what is written. */
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly problem: string };
