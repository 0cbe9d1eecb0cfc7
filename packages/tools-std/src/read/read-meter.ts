import { ToolError } from "../tool-error.js";
import type { ReadBudget } from "./read-budget.js";

export type Exhausted = "bytes" | "files" | "entries" | "time" | "pattern";

export interface MeterOptions {
  readonly budget: ReadBudget;
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** On the clock of `now`. */
  readonly deadline: number;
}

/** Counts what a call uses. Once something is used up it stays so, and the call answers with what it has. */
export class ReadMeter {
  readonly #options: MeterOptions;
  readonly #used = { bytes: 0, files: 0, entries: 0 };
  #exhausted: Exhausted | undefined;

  constructor(options: MeterOptions) {
    this.#options = options;
  }

  get exhausted(): Exhausted | undefined {
    return this.#exhausted;
  }

  /** False when there is no time left. Throws kind `cancelled` when the call was cancelled. */
  goesOn(): boolean {
    const { signal, now, deadline } = this.#options;
    if (signal.aborted) throw new ToolError("cancelled", "The read was cancelled.", {});
    if (now() >= deadline) this.#exhausted ??= "time";
    return this.#exhausted === undefined;
  }

  /** How many of `wanted` bytes may still be read; 0 ends the call. */
  takeBytes(wanted: number): number {
    if (!this.goesOn()) return 0;
    const granted = Math.min(wanted, this.#options.budget.scanBytes - this.#used.bytes);
    this.#used.bytes += granted;
    if (granted === 0) this.#exhausted = "bytes";
    return granted;
  }

  /** Bytes that were granted and turned out not to be there. */
  returnBytes(unused: number): void {
    this.#used.bytes -= unused;
  }

  takeFile(): boolean {
    return this.#takeOne("files");
  }

  takeEntry(): boolean {
    return this.#takeOne("entries");
  }

  /** The pattern took all the time that patterns may take. */
  patternTimedOut(): void {
    this.#exhausted ??= "pattern";
  }

  #takeOne(what: "files" | "entries"): boolean {
    if (!this.goesOn()) return false;
    if (this.#used[what] >= this.#options.budget[what]) {
      this.#exhausted = what;
      return false;
    }
    this.#used[what] += 1;
    return true;
  }

  /** Why the result is incomplete, as a sentence; undefined when it is complete. */
  incomplete(): string | undefined {
    const { budget } = this.#options;
    switch (this.#exhausted) {
      case undefined:
        return undefined;
      case "bytes":
        return `Incomplete: stopped after ${budget.scanBytes} bytes were read (setting read.scanBytes).`;
      case "files":
        return `Incomplete: stopped after ${budget.files} files were searched (setting read.files).`;
      case "entries":
        return `Incomplete: stopped after ${budget.entries} folder entries (setting read.entries).`;
      case "pattern":
        return `Incomplete: matching took longer than ${budget.regexMs} ms (setting read.regexMs). Use a simpler pattern, or search.text.`;
      case "time":
        return `Incomplete: stopped because the time was up (setting read.timeoutMs is ${budget.timeoutMs}).`;
    }
  }
}
