import type { Expression } from "./expression.js";

export interface PatternWorkerData {
  readonly groups: Readonly<Record<string, readonly Expression[]>>;
  /** Absolute path of the library that knows ignore files. */
  readonly ignoreLibrary: string;
}

export type PatternJob =
  | { readonly kind: "match"; readonly group: string; readonly texts: readonly string[] }
  | { readonly kind: "ignore"; readonly rules: readonly string[]; readonly paths: readonly string[] };

/** What the lines of one ignore file say of a path: leave it out, keep it after all, or nothing. */
export type IgnoreVerdict = "ignored" | "kept" | "open";

interface IgnoreRules {
  readonly add: (rules: readonly string[]) => IgnoreRules;
  readonly test: (path: string) => { readonly ignored: boolean; readonly unignored: boolean };
}

/**
 * The program of the pattern thread. It is handed over as text, so it may use nothing from outside itself but its
 * argument.
 */
export function patternWorker(load: (name: string) => unknown): void {
  // Inside the thread these are Node's own module and the library named by the host.
  const { parentPort, workerData } = load("node:worker_threads") as {
    parentPort: {
      on: (event: "message", listener: (job: PatternJob) => void) => void;
      postMessage: (value: unknown) => void;
    };
    workerData: PatternWorkerData;
  };
  const groups = new Map(
    Object.entries(workerData.groups).map(([name, expressions]) => [
      name,
      expressions.map(({ source, flags }) => new RegExp(source, flags)),
    ]),
  );
  const verdicts = (rules: readonly string[], paths: readonly string[]): readonly IgnoreVerdict[] => {
    // The library's one export makes an empty set of rules.
    const create = load(workerData.ignoreLibrary) as () => IgnoreRules;
    const set = create().add(rules);
    return paths.map((path) => {
      const { ignored, unignored } = set.test(path);
      if (ignored) return "ignored";
      return unignored ? "kept" : "open";
    });
  };
  parentPort.on("message", (job) => {
    const answer =
      job.kind === "ignore"
        ? verdicts(job.rules, job.paths)
        : job.texts.map((text) => (groups.get(job.group) ?? []).some((expression) => expression.test(text)));
    parentPort.postMessage(answer);
  });
}
