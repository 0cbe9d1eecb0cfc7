import { realpath } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { outputText } from "./bytes/bounded-output.js";
import type { ConfinedProcess } from "./confined/confined-process.js";
import type { OutputChunk, RunResult } from "./confined/ending.js";
import { startConfined } from "./confined/start-confined.js";
import { DEFAULT_LINE_BYTES, encodeMessage } from "./frames/frame.js";
import type { MalformedLine } from "./frames/frame-reader.js";
import type { SandboxPolicy } from "./policy/policy.js";
import { checkLineBytes, checkPolicy } from "./policy/policy-check.js";
import type { Probe } from "./probe.js";
import { SandboxError } from "./sandbox-error.js";
import { usableMechanism } from "./usable-mechanism.js";

export interface WorkerOptions {
  /** Each message, in order; none before the promise of the worker has resolved. */
  readonly onMessage: (value: unknown) => void;
  /** A line of the worker's that is no message; it is dropped. */
  readonly onMalformed?: (line: MalformedLine) => void;
  readonly onOutput?: (chunk: OutputChunk) => void;
  /** The longest line either way, in bytes, at least 1,024. Default 16 MiB. */
  readonly maxLineBytes?: number;
  /** Ends the worker, whatever it is doing. */
  readonly signal?: AbortSignal;
  /** The probe to go by. Default: `await probe()`. */
  readonly probe?: Probe;
}

/** A Node process in the sandbox that exchanges JSON values with its host. Its standard streams are only output. */
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

async function moduleFile(module: string): Promise<string> {
  const path = module.startsWith("file:") ? fileURLToPath(module) : module;
  if (!path.startsWith("/"))
    throw new SandboxError(
      "usage",
      `module: expected an absolute path or a file: URL, got ${JSON.stringify(module)}`,
      {
        at: "module",
      },
    );
  try {
    return await realpath(path);
  } catch (cause) {
    throw new SandboxError("usage", `module: ${path} does not exist`, { at: "module" }, { cause });
  }
}

const notJson = (cause?: unknown): SandboxError =>
  new SandboxError("usage", "value: JSON cannot hold it", { at: "value" }, { cause });

function lineOf(value: unknown, maxLineBytes: number): Uint8Array {
  let line: Uint8Array | undefined;
  try {
    line = encodeMessage(value);
  } catch (cause) {
    throw notJson(cause);
  }
  if (!line) throw notJson();
  if (line.length <= maxLineBytes) return line;
  throw new SandboxError("usage", `value: ${line.length} bytes of JSON are more than ${maxLineBytes}`, {
    at: "value",
  });
}

/** Holds back what comes before the caller has the worker in hands. */
class Delivery {
  readonly #waiting: (() => void)[] = [];
  #isOpen = false;

  hand(deliver: () => void): void {
    if (this.#isOpen) deliver();
    else this.#waiting.push(deliver);
  }

  open(): Promise<void> {
    return new Promise((resolve) => {
      setImmediate(() => {
        for (const deliver of this.#waiting.splice(0)) deliver();
        this.#isOpen = true;
        resolve();
      });
    });
  }
}

function handle(confined: ConfinedProcess, delivery: Delivery, maxLineBytes: number): SandboxWorker {
  const opened = delivery.open();
  return {
    send: (value) => {
      if (confined.state !== "running") throw new SandboxError("closed", "The worker has ended.", {});
      confined.write(lineOf(value, maxLineBytes));
    },
    close: () => {
      confined.end("cancelled");
      return confined.gone;
    },
    exited: opened.then(() => confined.gone),
    unref: () => confined.unref(),
    ref: () => confined.ref(),
  };
}

const cancelled = (): SandboxError =>
  new SandboxError("cancelled", "The worker was cancelled before it was ready.", {});

const notLoaded = (module: string, result: RunResult): SandboxError => {
  if (result.outcome === "cancelled") return cancelled();
  const output = outputText(result.stderr).trim();
  const reason = result.outcome === "exited" ? output || "it ended at once" : `it was ${result.outcome}`;
  return new SandboxError("start", `The worker could not load ${module}: ${reason}`, { output });
};

/**
 * Starts a worker and resolves once `module` (an ES module whose default export is a `WorkerModule`, by absolute path
 * or file: URL) has been loaded in it. Rejects with kind `start` when it could not be loaded.
 */
export async function worker(
  module: string,
  policy: SandboxPolicy,
  options: WorkerOptions,
): Promise<SandboxWorker> {
  checkPolicy(policy);
  const { signal, maxLineBytes = DEFAULT_LINE_BYTES } = options;
  checkLineBytes(maxLineBytes);
  const file = await moduleFile(module);
  const usable = await usableMechanism(options.probe);
  if (signal?.aborted) throw cancelled();
  let tellLoaded: () => void = () => undefined;
  const loaded = new Promise<undefined>((resolve) => {
    tellLoaded = () => resolve(undefined);
  });
  const delivery = new Delivery();
  const confined = await startConfined({
    ...usable,
    policy,
    request: { module: file, maxLineBytes, cwd: policy.cwd, environment: policy.environment },
    maxLineBytes,
    signal,
    onOutput: options.onOutput,
    onMalformed: (line) => delivery.hand(() => options.onMalformed?.(line)),
    onFrame: (frame) => {
      if (frame.kind === "value") delivery.hand(() => options.onMessage(frame.value));
      else if (frame.kind === "loaded") tellLoaded();
      else if (frame.kind === "exit") confined.report({ exitCode: frame.code, signal: null });
    },
  });
  const ended = await Promise.race([loaded, confined.gone]);
  if (ended) throw notLoaded(file, ended);
  return handle(confined, delivery, maxLineBytes);
}
