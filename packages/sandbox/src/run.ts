import type { BoundedOutput } from "./bounded-output.js";
import type { SandboxPolicy } from "./policy.js";
import { type Probe, probe } from "./probe.js";
import { SandboxError } from "./sandbox-error.js";

/** How a sandboxed program came to its end. */
export type Outcome = "exited" | "timed-out" | "cancelled" | "memory";

export interface OutputChunk {
  readonly stream: "stdout" | "stderr";
  readonly bytes: Uint8Array;
}

export interface RunOptions {
  /** Written to standard input, which is then closed. Default: standard input is empty. */
  readonly input?: string | Uint8Array;
  /** Every chunk as it comes, before anything is cut. */
  readonly onOutput?: (chunk: OutputChunk) => void;
  readonly signal?: AbortSignal;
  /** The probe to go by. Default: `await probe()`. */
  readonly probe?: Probe;
}

/** When it is there, no process that the command started is left, whatever the outcome. */
export interface RunResult {
  readonly outcome: Outcome;
  /** Null if a signal ended it, or if the outcome is not `exited`. */
  readonly exitCode: number | null;
  /** Such as `SIGKILL`; null if it exited, or if the outcome is not `exited`. */
  readonly signal: string | null;
  readonly stdout: BoundedOutput;
  readonly stderr: BoundedOutput;
}

/** Runs a program (no shell) in the sandbox. Rejects with a `SandboxError` when nothing was run. */
export async function run(
  _command: readonly string[],
  _policy: SandboxPolicy,
  options: RunOptions = {},
): Promise<RunResult> {
  const found = options.probe ?? (await probe());
  throw new SandboxError("unavailable", `No sandbox works here: ${found.reason}`, {
    reason: found.reason ?? "",
    remedy: found.remedy ?? "",
  });
}
