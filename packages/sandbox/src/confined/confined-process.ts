import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { OutputKeeper } from "../bytes/bounded-output.js";
import { DESCRIPTOR } from "../descriptor.js";
import { decodeInsideFrame, type InsideFrame } from "../frames/frame.js";
import { FrameReader, type MalformedLine } from "../frames/frame-reader.js";
import { identityOf, isAlive, type ProcessIdentity } from "../linux/process-tree.js";
import { withChildStreams } from "./child-streams.js";
import { type ExitStatus, type Outcome, type OutputChunk, type RunResult, statusOf } from "./ending.js";
import type { Launch } from "./launch.js";
import type { StandardPipes } from "./standard-pipes.js";

export interface ConfinedOptions {
  readonly outputBytes: number;
  readonly maxLineBytes: number;
  readonly input?: string | Uint8Array | undefined;
  readonly onFrame: (frame: InsideFrame) => void;
  readonly onMalformed: (line: MalformedLine) => void;
  readonly onOutput?: ((chunk: OutputChunk) => void) | undefined;
}

/** `starting` until its first frame, `ending` from the first reason to end it, `gone` when no process is left. */
export type ConfinedState = "starting" | "running" | "ending" | "gone";

const GONE_POLL_MS = 3;
const SHOWN_START = 200;
/** More than any table of mounts: the first line holds one. */
const REPORT_BYTES = 16 * 1024 * 1024;
/** A program that does not even say which process to end is ended from outside after this time. */
const STATUS_WAIT_MS = 5_000;

const once = <Value>(): { readonly promise: Promise<Value>; readonly resolve: (value: Value) => void } => {
  let settle: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((resolve) => {
    settle = resolve;
  });
  return { promise, resolve: (value) => settle(value) };
};

/** One sandbox with all its processes, from the start to the last one's end. There is one way out: `end`. */
export class ConfinedProcess {
  readonly #launch: Launch;
  readonly #pipes: StandardPipes;
  readonly #options: ConfinedOptions;
  readonly #child: ChildProcess;
  readonly #stdout: OutputKeeper;
  readonly #stderr: OutputKeeper;
  readonly #gone = once<RunResult>();
  readonly #spawned = once<Error | undefined>();
  readonly #first = once<ProcessIdentity | undefined>();
  readonly #reader = new FrameReader(REPORT_BYTES);
  #state: ConfinedState = "starting";
  #outcome: Outcome = "exited";
  #reported: ExitStatus | undefined;
  #isFinishing = false;

  constructor(launch: Launch, pipes: StandardPipes, options: ConfinedOptions) {
    this.#launch = launch;
    this.#pipes = pipes;
    this.#options = options;
    this.#stdout = new OutputKeeper(options.outputBytes);
    this.#stderr = new OutputKeeper(options.outputBytes);
    this.#child = this.#spawn();
    const outputs = [this.#collect("stdout", this.#stdout), this.#collect("stderr", this.#stderr)];
    this.#watchEnd(Promise.all(outputs));
    // Node leaves the streams out when it had no descriptors left for them; the error event follows.
    if (this.#child.stdio === undefined) return;
    this.#feed();
    this.#readStatus();
    this.#readFrames();
  }

  get state(): ConfinedState {
    return this.#state;
  }

  /** The error if the program could not be started at all. */
  get spawned(): Promise<Error | undefined> {
    return this.#spawned.promise;
  }

  /** Resolves when no process is left. Never rejects. */
  get gone(): Promise<RunResult> {
    return this.#gone.promise;
  }

  /** The process whose end ends all others, as the host numbers it. */
  get first(): Promise<ProcessIdentity | undefined> {
    return this.#first.promise;
  }

  /** Whole lines only. */
  write(lines: Uint8Array): void {
    this.#socket(DESCRIPTOR.toInside)?.write(lines);
  }

  started(): void {
    this.#reader.limit(this.#options.maxLineBytes);
    if (this.#state === "starting") this.#state = "running";
  }

  /** Keeps the status that the program inside tells; the first one counts. */
  report(status: ExitStatus): void {
    this.#reported ??= status;
  }

  /** Ends every process. The first outcome counts. */
  end(outcome: Outcome): void {
    if (this.#state === "ending" || this.#state === "gone") return;
    this.#state = "ending";
    this.#outcome = outcome;
    void this.#kill();
  }

  unref(): void {
    this.#child.unref();
    for (const socket of this.#sockets()) socket.unref();
  }

  ref(): void {
    this.#child.ref();
    for (const socket of this.#sockets()) socket.ref();
  }

  #spawn(): ChildProcess {
    const [program = "", ...words] = this.#launch.command;
    try {
      return withChildStreams(this.#launch, this.#pipes, (streams) =>
        // No environment: a variable such as LD_PRELOAD would act on what sets the sandbox up, outside of it.
        spawn(program, words, {
          env: {},
          cwd: "/",
          stdio: [...streams],
          detached: this.#launch.statusDescriptor === undefined,
        }),
      );
    } finally {
      this.#pipes.closeChildEnds();
    }
  }

  #sockets(): readonly Socket[] {
    const { input, stdout, stderr } = this.#pipes;
    return [input, stdout, stderr, ...this.#child.stdio].filter((stream) => stream instanceof Socket);
  }

  #socket(descriptor: number): Socket | undefined {
    const stream = this.#child.stdio[descriptor];
    return stream instanceof Socket ? stream : undefined;
  }

  /** Resolves when the last process that could write to it is gone. */
  #collect(stream: "stdout" | "stderr", keeper: OutputKeeper): Promise<void> {
    const socket = this.#pipes[stream];
    socket.on("data", (bytes: Uint8Array) => {
      keeper.push(bytes);
      this.#options.onOutput?.({ stream, bytes });
    });
    return new Promise((resolve) => socket.on("close", () => resolve()));
  }

  #feed(): void {
    // A program that ends without having read is no failure of the host's.
    for (const socket of this.#sockets()) socket.on("error", () => undefined);
    for (const [descriptor, bytes] of this.#launch.feeds) this.#socket(descriptor)?.end(bytes);
    if (this.#options.input !== undefined) this.#pipes.input?.end(this.#options.input);
  }

  #readStatus(): void {
    const { statusDescriptor } = this.#launch;
    if (statusDescriptor === undefined) this.#first.resolve(undefined);
    let text = "";
    this.#socket(statusDescriptor ?? -1)?.on("data", (chunk: Uint8Array) => {
      text += new TextDecoder().decode(chunk);
      const pid = /"child-pid": (\d+)/.exec(text)?.[1];
      if (pid !== undefined) this.#first.resolve(identityOf(Number(pid)));
    });
  }

  #readFrames(): void {
    const reader = this.#reader;
    const socket = this.#socket(DESCRIPTOR.fromInside);
    socket?.on("data", (chunk: Uint8Array) => {
      for (const frame of reader.push(chunk)) {
        if ("malformed" in frame) this.#options.onMalformed(frame.malformed);
        else this.#takeFrame(frame.value);
      }
    });
    socket?.on("end", () => {
      for (const frame of reader.end()) if ("malformed" in frame) this.#options.onMalformed(frame.malformed);
    });
  }

  #takeFrame(value: unknown): void {
    const frame = decodeInsideFrame(value);
    if (frame) this.#options.onFrame(frame);
    else this.#refuseFrame(JSON.stringify(value));
  }

  #refuseFrame(text: string): void {
    this.#options.onMalformed({ reason: "not-json", bytes: text.length, start: text.slice(0, SHOWN_START) });
  }

  #watchEnd(outputs: Promise<unknown>): void {
    this.#child.on("spawn", () => this.#spawned.resolve(undefined));
    this.#child.on("error", (error) => {
      this.#spawned.resolve(error);
      if (this.#child.pid !== undefined) return;
      this.#first.resolve(undefined);
      void outputs.then(() => this.#finish(null));
    });
    this.#child.on("exit", () => {
      this.#first.resolve(undefined);
      this.end("exited");
    });
    this.#child.on("close", (code) => void outputs.then(() => this.#finish(code)));
  }

  /** Ends the process that holds all others; without one, the group. */
  async #kill(): Promise<void> {
    const status = await Promise.race([
      this.#first.promise,
      delay(STATUS_WAIT_MS, undefined, { ref: false }),
    ]);
    const isGroup = this.#launch.statusDescriptor === undefined;
    const hasExited = this.#child.exitCode !== null || this.#child.signalCode !== null;
    const target = status?.pid ?? this.#child.pid;
    if (target === undefined || (status ? !isAlive(status) : hasExited && !isGroup)) return;
    try {
      process.kill(isGroup ? -target : target, "SIGKILL");
    } catch {
      // It has ended by itself meanwhile.
    }
  }

  async #finish(code: number | null): Promise<void> {
    if (this.#isFinishing) return;
    this.#isFinishing = true;
    const first = await this.#first.promise;
    await this.#kill();
    while (first && isAlive(first)) await delay(GONE_POLL_MS);
    await this.#launch.release();
    this.#state = "gone";
    const status = this.#reported ?? statusOf(code);
    const ended = this.#outcome === "exited" ? status : { exitCode: null, signal: null };
    this.#gone.resolve({
      outcome: this.#outcome,
      ...ended,
      stdout: this.#stdout.result(),
      stderr: this.#stderr.result(),
    });
  }
}
