import { constants } from "node:os";
import type { BoundedOutput } from "../bytes/bounded-output.js";

/** How a sandboxed program came to its end. */
export type Outcome = "exited" | "timed-out" | "cancelled" | "memory";

/** When it is there, no process that the program started is left, whatever the outcome. */
export interface RunResult {
  readonly outcome: Outcome;
  /** Null if a signal ended it, or if the outcome is not `exited`. */
  readonly exitCode: number | null;
  /** Such as `SIGKILL`; null if it exited, or if the outcome is not `exited`. */
  readonly signal: string | null;
  readonly stdout: BoundedOutput;
  readonly stderr: BoundedOutput;
}

export interface OutputChunk {
  readonly stream: "stdout" | "stderr";
  readonly bytes: Uint8Array;
}

export interface ExitStatus {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

const SIGNALLED = 128;

/** bubblewrap, like a shell, adds 128 to the number of the signal that ended a program. */
export function statusOf(code: number | null): ExitStatus {
  const name = Object.entries(constants.signals).find(([, number]) => number + SIGNALLED === code)?.[0];
  return name === undefined ? { exitCode: code, signal: null } : { exitCode: null, signal: name };
}
