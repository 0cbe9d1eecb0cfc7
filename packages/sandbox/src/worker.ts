import type { SandboxPolicy } from "./policy.js";
import { type Probe, probe } from "./probe.js";
import type { OutputChunk, RunResult } from "./run.js";
import { SandboxError } from "./sandbox-error.js";

/** A line from the worker that is no message. */
export interface MalformedLine {
  readonly reason: "too-long" | "not-json" | "cut-off";
  readonly bytes: number;
  /** Its first characters. */
  readonly start: string;
}

export interface WorkerOptions {
  readonly onMessage: (value: unknown) => void;
  readonly onMalformed?: (line: MalformedLine) => void;
  readonly onOutput?: (chunk: OutputChunk) => void;
  /** The longest line either way, in bytes. Default 16 MiB. */
  readonly maxLineBytes?: number;
  /** Ends the worker, whatever it is doing. */
  readonly signal?: AbortSignal;
  readonly probe?: Probe;
}

/** A Node process in the sandbox that exchanges JSON lines with its host. */
export interface SandboxWorker {
  /** Throws kind `usage` for what JSON cannot hold or a line over the limit, `closed` once the worker has ended. */
  readonly send: (value: unknown) => void;
  /** Ends the worker and everything it started. */
  readonly close: () => Promise<RunResult>;
  /** Resolves when no process of the worker is left. Never rejects. */
  readonly exited: Promise<RunResult>;
  /** Lets the host's process end while the worker waits; the worker ends with it. */
  readonly unref: () => void;
  readonly ref: () => void;
}

/**
 * Starts a worker and resolves once `module` (absolute path of an ES module whose default export is a `WorkerModule`)
 * has been loaded in it. Rejects with kind `start` when it could not be loaded.
 */
export async function worker(
  _module: string,
  _policy: SandboxPolicy,
  options: WorkerOptions,
): Promise<SandboxWorker> {
  const found = options.probe ?? (await probe());
  throw new SandboxError("unavailable", `No sandbox works here: ${found.reason}`, {
    reason: found.reason ?? "",
    remedy: found.remedy ?? "",
  });
}
