import { outputText } from "../bytes/bounded-output.js";
import { DEFAULT_LINE_BYTES, encodeFrame, type InsideFrame, type StartRequest } from "../frames/frame.js";
import { decodeReport } from "../linux/inside-report.js";
import { watchMemory } from "../linux/memory-watch.js";
import type { Mechanism } from "../mechanism.js";
import type { SandboxPolicy } from "../policy/policy.js";
import { isSandboxError, SandboxError } from "../sandbox-error.js";
import { type ConfinedOptions, ConfinedProcess } from "./confined-process.js";
import type { RunResult } from "./ending.js";
import type { Launch } from "./launch.js";
import { makeLaunch } from "./make-launch.js";
import { openStandardPipes, type StandardPipes } from "./standard-pipes.js";

export interface StartOptions {
  readonly mechanism: Mechanism;
  readonly program: string;
  readonly policy: SandboxPolicy;
  readonly request: StartRequest;
  readonly maxLineBytes?: number | undefined;
  readonly input?: string | Uint8Array | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onFrame: (frame: InsideFrame) => void;
  readonly onMalformed?: ConfinedOptions["onMalformed"] | undefined;
  readonly onOutput?: ConfinedOptions["onOutput"];
}

/** Long enough for a machine that is very busy. */
const START_LIMIT_MS = 60_000;
const SHOWN_OUTPUT = 2_000;
const START_ATTEMPTS = 5;
const BETWEEN_ATTEMPTS_MS = 25;

const shown = (result: RunResult): string => outputText(result.stderr).trim().slice(-SHOWN_OUTPUT);

/** Everything that may end the sandbox before its program does. */
async function limitLife(confined: ConfinedProcess, { policy }: StartOptions): Promise<void> {
  const { timeMs, memoryBytes } = policy.limits;
  const timer = timeMs === null ? undefined : setTimeout(() => confined.end("timed-out"), timeMs);
  // The process itself keeps the host alive, as long as it should.
  timer?.unref();
  const first = memoryBytes === undefined ? undefined : await confined.first;
  const stopWatching =
    first && memoryBytes !== undefined
      ? watchMemory(first, memoryBytes, () => confined.end("memory"))
      : undefined;
  void confined.gone.then(() => {
    clearTimeout(timer);
    stopWatching?.();
  });
}

function cancelOn(signal: AbortSignal | undefined, confined: ConfinedProcess): void {
  const cancel = (): void => confined.end("cancelled");
  signal?.addEventListener("abort", cancel);
  // It may have come while the start was being prepared.
  if (signal?.aborted) cancel();
  void confined.gone.then(() => signal?.removeEventListener("abort", cancel));
}

/** What the first program inside reports; undefined if it was cancelled before. */
async function readyReport(confined: ConfinedProcess, ready: Promise<unknown>): Promise<unknown> {
  const timer = setTimeout(() => confined.end("timed-out"), START_LIMIT_MS);
  const first = await Promise.race([
    ready.then((report) => ({ report })),
    confined.gone.then((result) => ({ result })),
  ]);
  clearTimeout(timer);
  if ("report" in first) return first.report;
  const error = await confined.spawned;
  if (error)
    throw new SandboxError(
      "start",
      `The sandbox could not be started: ${error.message}`,
      {},
      { cause: error },
    );
  if (first.result.outcome === "cancelled") return undefined;
  const output = shown(first.result);
  const how = first.result.outcome === "timed-out" ? `within ${START_LIMIT_MS / 1000} s` : "at all";
  throw new SandboxError("start", `The sandbox did not come up ${how}: ${output || "it said nothing"}`, {
    output,
  });
}

async function verify(confined: ConfinedProcess, launch: Launch, report: unknown): Promise<void> {
  const decoded = decodeReport(report);
  const problems = decoded ? launch.problems(decoded) : ["it did not say what it holds"];
  if (problems.length === 0) return;
  confined.end("cancelled");
  await confined.gone;
  throw new SandboxError(
    "weak",
    `The sandbox is weaker than asked, nothing was run: ${problems.join("; ")}`,
    {
      problems,
    },
  );
}

/** Of the system, such as no descriptors left; ours are kept. */
function startError(error: unknown): SandboxError {
  if (isSandboxError(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new SandboxError("start", `The sandbox could not be started: ${message}`, {}, { cause: error });
}

async function prepare(options: StartOptions): Promise<Launch> {
  try {
    return await makeLaunch(options);
  } catch (error) {
    throw startError(error);
  }
}

async function open(launch: Launch, options: ConfinedOptions): Promise<ConfinedProcess> {
  let pipes: StandardPipes | undefined;
  try {
    pipes = await openStandardPipes(options.input !== undefined);
    return new ConfinedProcess(launch, pipes, options);
  } catch (error) {
    for (const socket of [pipes?.input, pipes?.stdout, pipes?.stderr]) socket?.destroy();
    await launch.release();
    throw startError(error);
  }
}

async function startOnce(options: StartOptions): Promise<ConfinedProcess> {
  const launch = await prepare(options);
  let tellReady: (report: unknown) => void = () => undefined;
  const ready = new Promise<unknown>((resolve) => {
    tellReady = resolve;
  });
  const confined = await open(launch, {
    outputBytes: options.policy.limits.outputBytes,
    maxLineBytes: options.maxLineBytes ?? DEFAULT_LINE_BYTES,
    input: options.input,
    onOutput: options.onOutput,
    onMalformed: options.onMalformed ?? (() => undefined),
    onFrame: (frame) => (frame.kind === "ready" ? tellReady(frame.report) : options.onFrame(frame)),
  });
  cancelOn(options.signal, confined);
  const report = await readyReport(confined, ready);
  if (report === undefined) return confined;
  await verify(confined, launch, report);
  confined.write(encodeFrame({ start: options.request }));
  confined.started();
  await limitLife(confined, options);
  return confined;
}

/**
 * Another sandbox in the same folder may let the place of a missing pin go in the very moment in which this one looks at
 * it, and then the place is taken for a folder of the user's. Nothing has run by then, so it is looked at again.
 */
function mayBeAPassingPlace(error: unknown, { policy, signal }: StartOptions): boolean {
  if ((policy.readOnly ?? []).length === 0 || signal?.aborted || !isSandboxError(error)) return false;
  const { cause } = error;
  const vanished = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
  return error.kind === "weak" || (error.kind === "start" && vanished);
}

/**
 * Starts the sandbox, looks at it from the inside, and only then tells it what to run. If it was cancelled meanwhile,
 * what is returned is gone or about to be.
 */
export async function startConfined(options: StartOptions): Promise<ConfinedProcess> {
  let first: unknown;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startOnce(options);
    } catch (error) {
      first ??= error;
      // What changed between two looks was no passing place: the first look says why nothing was run.
      if (attempt === START_ATTEMPTS || !mayBeAPassingPlace(error, options)) throw first;
      await new Promise((resolve) => setTimeout(resolve, attempt * BETWEEN_ATTEMPTS_MS));
    }
  }
}
