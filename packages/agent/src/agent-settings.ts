import { DEFAULT_SANDBOX_SETTINGS } from "./isolation/sandbox-settings.js";

/** The settings that the agent layer owns. Durations are milliseconds or texts such as `30s`; `false` switches a limit off. */
export interface AgentSettings {
  readonly context: {
    /** Fractions of the window; above 1 they are percent. */
    readonly cap?: number | undefined;
    readonly turn?: number | undefined;
    /** Tokens. */
    readonly assumedWindow?: number | undefined;
    /** Fraction of the window; above 1 it is percent. */
    readonly autocompact?: number | false | undefined;
    /** Tokens. */
    readonly autocompactMax?: number | false | undefined;
    readonly [key: string]: unknown;
  };
  readonly retry: {
    readonly attempts?: number | undefined;
    readonly base?: number | string | undefined;
    readonly max?: number | string | undefined;
    readonly [key: string]: unknown;
  };
  readonly budget: {
    readonly requests?: number | false | undefined;
    readonly tokens?: number | false | undefined;
    readonly duration?: number | string | false | undefined;
    /** US dollars. */
    readonly cost?: number | false | undefined;
    readonly depth?: number | undefined;
    readonly width?: number | undefined;
    readonly repeats?: number | false | undefined;
    readonly [key: string]: unknown;
  };
  readonly maxActive: number | false;
  readonly system?: string | undefined;
  readonly sandbox: {
    readonly network?: "none" | "full" | undefined;
    readonly steering?: "ask" | "open" | undefined;
    readonly fileBytes?: number | undefined;
    readonly memoryBytes?: number | undefined;
    readonly processes?: number | undefined;
    readonly temporaryBytes?: number | undefined;
    readonly [key: string]: unknown;
  };
  readonly sessions: {
    readonly save?: boolean | undefined;
    readonly store?: "jsonl" | "sqlite" | undefined;
    /** Absolute path. */
    readonly folder?: string | undefined;
    readonly sync?: "durable" | "always" | "never" | undefined;
    readonly [key: string]: unknown;
  };
  /** Rules; what is no rule is refused when a call is to run, so that no refusal gets lost. */
  readonly permissions?: unknown;
}

export const DEFAULT_AGENT_SETTINGS = {
  context: { cap: 0.9, turn: 0.4, assumedWindow: 200_000, autocompact: 0.4, autocompactMax: 200_000 },
  retry: { attempts: 3, base: 2_000, max: 30_000 },
  budget: {
    requests: 200,
    tokens: 10_000_000,
    duration: "4h",
    cost: false,
    depth: 1,
    width: 8,
    repeats: 8,
  },
  maxActive: 8,
  sandbox: DEFAULT_SANDBOX_SETTINGS,
  sessions: { save: true, store: "jsonl", sync: "durable" },
} as const satisfies AgentSettings;
