import { type ChildProcess, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { EnvError } from "../../env-error.js";
import { createMessageLines } from "./message-lines.js";
import {
  decodeWorkerLine,
  type WorkerAnswer,
  type WorkerLine,
  type WorkerRequest,
} from "./worker-message.js";

/** The largest result of a call, as JSON. */
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;
/** How much of the output is kept for the message when a process fails. */
const MAX_OUTPUT = 2000;

export interface WorkerRun {
  readonly file: string;
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly request: WorkerRequest;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly onLine?: (line: WorkerLine, answer: (answer: WorkerAnswer) => void) => void;
}

/** Starts the worker, hands it the request and resolves with its value. When this settles, the process has ended. */
export async function runWorker(run: WorkerRun): Promise<unknown> {
  if (run.signal.aborted) throw cancelled();
  const child = spawn(process.execPath, [...run.argv], {
    cwd: run.folder,
    env: { ...run.environment },
    stdio: ["ignore", "pipe", "pipe", "pipe", "pipe"],
  });
  const state = watch(child, run);
  const stop = (): void => {
    state.failure ??= cancelled();
    child.kill("SIGKILL");
  };
  const timer = setTimeout(() => {
    state.failure ??= new EnvError("tool", `It did not end within ${run.timeoutMs} ms.`, { file: run.file });
    child.kill("SIGKILL");
  }, run.timeoutMs);
  run.signal.addEventListener("abort", stop, { once: true });
  try {
    return outcome(await state.ended, state, run);
  } finally {
    clearTimeout(timer);
    run.signal.removeEventListener("abort", stop);
  }
}

function cancelled(): EnvError<"cancelled"> {
  return new EnvError("cancelled", "The call was cancelled.", {});
}

interface WorkerState {
  failure: Error | undefined;
  result: Extract<WorkerLine, { type: "result" }> | undefined;
  output: string;
  /** How the process ended, in words. */
  readonly ended: Promise<string>;
}

function watch(child: ChildProcess, run: WorkerRun): WorkerState {
  // The stdio option above makes all of these pipes.
  const [, stdout, stderr, reply, requests] = child.stdio as [null, Readable, Readable, Readable, Writable];
  const lines = createMessageLines(MAX_MESSAGE_BYTES);
  const write = (message: WorkerRequest | WorkerAnswer): void => {
    if (requests.writable) requests.write(`${JSON.stringify(message)}\n`);
  };
  const state: WorkerState = {
    failure: undefined,
    result: undefined,
    output: "",
    ended: new Promise((resolve) => {
      child.on("error", (cause) => {
        state.failure ??= cause;
        if (child.pid === undefined) resolve("did not start");
      });
      child.on("close", (code, signal) =>
        resolve(signal === null ? `ended with code ${code}` : `was ended by ${signal}`),
      );
    }),
  };
  for (const stream of [stdout, stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      state.output = (state.output + chunk).slice(0, MAX_OUTPUT);
    });
  }
  // The worker may end before it has read everything; how it ended says more than a broken pipe does.
  requests.on("error", () => {});
  reply.on("data", (chunk: Buffer) => {
    try {
      for (const text of lines.push(chunk)) receive(text);
    } catch (cause) {
      state.failure ??= cause instanceof Error ? cause : new Error(String(cause));
      child.kill("SIGKILL");
    }
  });
  const receive = (text: string): void => {
    const line = decodeWorkerLine(text);
    if (line === undefined || state.result !== undefined) return;
    if (line.type !== "result") {
      run.onLine?.(line, write);
      return;
    }
    state.result = line;
    // The call is over, whatever the tool still keeps going.
    child.kill("SIGKILL");
  };
  write(run.request);
  return state;
}

function outcome(ended: string, state: WorkerState, run: WorkerRun): unknown {
  if (state.failure !== undefined) throw state.failure;
  if (state.result === undefined) {
    const said = state.output.trim() === "" ? "" : ` Its output begins: ${state.output.trim().slice(0, 500)}`;
    throw new EnvError("tool", `The tool process ${ended} without a result.${said}`, { file: run.file });
  }
  if (state.result.ok) return state.result.value;
  const error = new EnvError("tool", state.result.error, { file: run.file });
  throw state.result.system === undefined ? error : Object.assign(error, { system: state.result.system });
}
