import { EMPTY_OUTPUT } from "./bytes/bounded-output.js";
import type { OutputChunk, RunResult } from "./confined/ending.js";
import { startConfined } from "./confined/start-confined.js";
import type { SandboxPolicy } from "./policy/policy.js";
import { checkCommand, checkPolicy } from "./policy/policy-check.js";
import type { Probe } from "./probe.js";
import { SandboxError } from "./sandbox-error.js";
import { usableMechanism } from "./usable-mechanism.js";

export interface RunOptions {
  /** Written to standard input, which is then closed. Default: standard input is empty. */
  readonly input?: string | Uint8Array;
  /** Every chunk as it comes, before anything is cut. */
  readonly onOutput?: (chunk: OutputChunk) => void;
  readonly signal?: AbortSignal;
  /** The probe to go by. Default: `await probe()`. */
  readonly probe?: Probe;
}

const CANCELLED: RunResult = {
  outcome: "cancelled",
  exitCode: null,
  signal: null,
  stdout: EMPTY_OUTPUT,
  stderr: EMPTY_OUTPUT,
};

const NOT_STARTED: Readonly<Record<string, string>> = {
  ENOENT: "it was not found on the PATH of policy.environment",
  EACCES: "it may not be run",
  ENOEXEC: "it is no program",
};

const notStarted = (program: string, code: string, message: string): SandboxError =>
  new SandboxError("start", `${program} could not be started: ${NOT_STARTED[code] ?? message}`, { code });

/** Runs a program (no shell) in the sandbox. Rejects with a `SandboxError` when it was not run. */
export async function run(
  command: readonly string[],
  policy: SandboxPolicy,
  options: RunOptions = {},
): Promise<RunResult> {
  checkCommand(command);
  checkPolicy(policy);
  const usable = await usableMechanism(options.probe);
  if (options.signal?.aborted) return CANCELLED;
  let failure: SandboxError | undefined;
  const confined = await startConfined({
    ...usable,
    policy,
    request: { command, cwd: policy.cwd, environment: policy.environment },
    input: options.input,
    signal: options.signal,
    onOutput: options.onOutput,
    onFrame: (frame) => {
      if (frame.kind === "exit") confined.report({ exitCode: frame.code, signal: frame.signal });
      else if (frame.kind === "failed") failure = notStarted(command[0] ?? "", frame.code, frame.message);
      else return;
      confined.end("exited");
    },
  });
  const result = await confined.gone;
  if (failure && result.outcome === "exited") throw failure;
  return result;
}
