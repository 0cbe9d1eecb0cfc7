import { createRequire } from "node:module";
import { performance } from "node:perf_hooks";
import { Worker } from "node:worker_threads";
import { ToolError } from "../../tool-error.js";
import type { Expression } from "./expression.js";
import {
  type IgnoreVerdict,
  type PatternJob,
  type PatternWorkerData,
  patternWorker,
} from "./pattern-worker.js";

/** Tries patterns on texts, in a thread of its own: a pattern that runs away ends by the clock and blocks nobody. */
export interface PatternTester {
  /** Of each text: does any expression of the group match? */
  readonly matches: (group: string, texts: readonly string[]) => Promise<readonly boolean[]>;
  /** Of each path, relative to the ignore file's folder, what its lines say. Folders end in `/`. */
  readonly ignored: (rules: readonly string[], paths: readonly string[]) => Promise<readonly IgnoreVerdict[]>;
  readonly close: () => Promise<void>;
}

export interface PatternTesterOptions {
  readonly groups: Readonly<Record<string, readonly Expression[]>>;
  /** For all work together; starting the thread does not count. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

/** The thread starts with the first question. Questions are asked one at a time. */
export function createPatternTester({ groups, limitMs, signal }: PatternTesterOptions): PatternTester {
  let worker: Promise<Worker> | undefined;
  let leftMs = limitMs;

  const ask = async (job: PatternJob): Promise<unknown> => {
    worker ??= startWorker(groups);
    const thread = await worker;
    const start = performance.now();
    try {
      return await answerOf(thread, { job, leftMs, limitMs, signal });
    } finally {
      leftMs = Math.max(1, leftMs - (performance.now() - start));
    }
  };

  return {
    matches: async (group, texts) => {
      // The thread answers a "match" job with one boolean a text.
      return texts.length === 0 ? [] : ((await ask({ kind: "match", group, texts })) as readonly boolean[]);
    },
    ignored: async (rules, paths) => {
      // The thread answers an "ignore" job with one verdict a path.
      return paths.length === 0
        ? []
        : ((await ask({ kind: "ignore", rules, paths })) as readonly IgnoreVerdict[]);
    },
    close: async () => {
      await (await worker)?.terminate();
    },
  };
}

function startWorker(groups: PatternTesterOptions["groups"]): Promise<Worker> {
  const require = createRequire(import.meta.url);
  const workerData: PatternWorkerData = { groups, ignoreLibrary: require.resolve("ignore") };
  const worker = new Worker(`(${patternWorker.toString()})(require)`, {
    eval: true,
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  worker.unref();
  // A failure reaches the question that waits; one that comes after the last question matters to nobody.
  worker.on("error", () => {});
  return new Promise((resolve, reject) => {
    worker.once("online", () => resolve(worker));
    worker.once("error", reject);
  });
}

interface Question {
  readonly job: PatternJob;
  readonly leftMs: number;
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

function answerOf(worker: Worker, { job, leftMs, limitMs, signal }: Question): Promise<unknown> {
  if (signal.aborted) return Promise.reject(cancelled());
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      worker.removeListener("message", answer);
      worker.removeListener("error", fail);
      act();
    };
    const answer = (value: unknown): void => settle(() => resolve(value));
    const fail = (cause: unknown): void => settle(() => reject(cause));
    const abort = (): void => settle(() => reject(cancelled()));
    const timer = setTimeout(() => {
      settle(() => reject(tooSlow(limitMs)));
    }, leftMs);
    signal.addEventListener("abort", abort, { once: true });
    worker.on("message", answer);
    worker.on("error", fail);
    worker.postMessage(job);
  });
}

function cancelled(): ToolError<"cancelled"> {
  return new ToolError("cancelled", "The read was cancelled.", {});
}

function tooSlow(limitMs: number): ToolError<"timeout"> {
  return new ToolError(
    "timeout",
    `The pattern took longer than ${limitMs} ms (setting read.regexMs). Use a simpler one, or search.text for literal text.`,
    { limitMs },
  );
}
