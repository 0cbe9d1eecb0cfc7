import type { ProviderSubject } from "./subject.js";

/** What a case takes of a subject beside the recordings that everyone gives. */
export type ConformanceNeed = "tools" | "thinking" | "executedCalls" | "models" | "folder" | "lines";

/** One thing that a provider must do. */
export interface ConformanceCase {
  readonly name: string;
  /** What goes wrong for people when it is broken. */
  readonly why: string;
  readonly needs?: readonly ConformanceNeed[];
  /** Rejects with a `ConformanceFailure` that says what was expected and what came. */
  readonly run: (subject: ProviderSubject) => Promise<void>;
}

const NEEDS: Readonly<
  Record<ConformanceNeed, { readonly holds: (subject: ProviderSubject) => boolean; readonly lack: string }>
> = {
  tools: {
    holds: ({ Provider }) => Provider.provider.capabilities.tools !== false,
    lack: "the provider says that its models call no tools",
  },
  thinking: {
    holds: ({ Provider, wire }) =>
      wire.recordings.thinking !== undefined || Provider.provider.capabilities.thinking.length > 0,
    lack: "the provider has no thinking modes",
  },
  executedCalls: {
    holds: ({ wire }) => wire.recordings.executedCalls !== undefined,
    lack: "no recording of a call that the provider runs itself",
  },
  models: {
    holds: ({ Provider, wire }) => Provider.models !== undefined || wire.recordings.models !== undefined,
    lack: "the provider lists no models",
  },
  folder: { holds: ({ folder }) => folder !== undefined, lack: "no package folder was given" },
  lines: {
    holds: ({ wire }) => typeof wire.framing === "string",
    lack: "the wire is not made of lines",
  },
};

/** Why a case cannot be asked of a subject; undefined when it can. */
export function unmetNeed({ needs = [] }: ConformanceCase, subject: ProviderSubject): string | undefined {
  return needs.map((need) => NEEDS[need]).find(({ holds }) => !holds(subject))?.lack;
}
