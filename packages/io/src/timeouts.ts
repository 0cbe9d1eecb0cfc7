import type { ProviderMetadata } from "@ashlar/context/provider";
import { IOError } from "./io-error.js";

/** Limits of one request, in milliseconds; 0 means none. */
export interface Timeouts {
  /** Until the connection stands. */
  readonly connectMs?: number;
  /** From sending to the first event of the model. Default: `idleMs` where the caller or the settings give one. */
  readonly firstEventMs?: number;
  /** Between two events of the model; keep-alives do not count. */
  readonly idleMs?: number;
  /** The whole request. */
  readonly overallMs?: number;
}

/** Every limit of a request, resolved. */
export interface Limits {
  /** Undefined: the default, which grows with the body. */
  readonly connectMs: number | undefined;
  readonly firstEventMs: number;
  readonly idleMs: number;
  readonly overallMs: number;
}

/** The settings key that stands for each limit. */
export const LIMIT_SETTINGS = {
  connectMs: "connectTimeout",
  firstEventMs: "firstEventTimeout",
  idleMs: "stuckTimeout",
  overallMs: "timeout",
} as const satisfies Record<keyof Timeouts, string>;
export type LimitName = keyof Timeouts;

/** A cold local model loads for minutes before its first word. */
export const DEFAULT_FIRST_EVENT_MS = 600_000;
export const DEFAULT_IDLE_MS = 120_000;
export const DEFAULT_OVERALL_MS = 1_048_575;
const CONNECT_BASE_MS = 30_000;
const CONNECT_MAX_MS = 120_000;

/** Where limits come from, strongest first. All are milliseconds: an Env reads texts such as `30s` itself. */
export interface TimeoutSources {
  readonly request: Timeouts | undefined;
  readonly io: Timeouts | undefined;
  readonly settings: readonly Readonly<Record<string, unknown>>[];
  readonly provider: ProviderMetadata;
}

/** Throws kind `usage`, naming the option or the setting, for a value that is no duration. */
export function resolveLimits({ request, io, settings, provider }: TimeoutSources): Limits {
  const asked = (name: LimitName): number | undefined =>
    fromOption(request, name) ?? fromOption(io, name) ?? fromSettings(settings, LIMIT_SETTINGS[name]);
  const declared = (name: LimitName): number | undefined =>
    fromSettings([{ ...provider }], LIMIT_SETTINGS[name]);
  const idle = asked("idleMs");
  return {
    connectMs: asked("connectMs") ?? declared("connectMs"),
    firstEventMs: asked("firstEventMs") ?? idle ?? declared("firstEventMs") ?? DEFAULT_FIRST_EVENT_MS,
    idleMs: idle ?? declared("idleMs") ?? DEFAULT_IDLE_MS,
    overallMs: asked("overallMs") ?? declared("overallMs") ?? DEFAULT_OVERALL_MS,
  };
}

/** The connect limit of a body of that size: a given one as it is, else 30 s and 1 ms a byte, 2 minutes at most. */
export function connectLimit(given: number | undefined, bodyBytes: number): number {
  return given ?? Math.min(CONNECT_BASE_MS + bodyBytes, CONNECT_MAX_MS);
}

/** What a request fails with when a limit has passed: which, how long, and what to set. */
export function limitError(name: LimitName, ms: number, selector: string): IOError<"network"> {
  const setting = LIMIT_SETTINGS[name];
  const waited = {
    connectMs: "no connection",
    firstEventMs: "no data: the model sent no event",
    idleMs: "no data: the model went idle and sent no further event",
    overallMs: "the answer was not complete",
  }[name];
  const text = `${selector}: ${waited} within ${ms} ms. The limit is the setting "${setting}" (option timeouts.${name}).`;
  return new IOError("network", text, { code: "timeout", limit: setting });
}

/** Does the error say that the model went idle? */
export function isIdleLimit(error: IOError | undefined): boolean {
  return error !== undefined && "limit" in error.details && error.details.limit === LIMIT_SETTINGS.idleMs;
}

function fromOption(timeouts: Timeouts | undefined, name: LimitName): number | undefined {
  const ms = timeouts?.[name];
  if (ms === undefined || (ms >= 0 && !Number.isNaN(ms))) return ms;
  throw new IOError("usage", `timeouts.${name} is ${ms}; expected milliseconds, 0 for no limit.`, {
    argument: `timeouts.${name}`,
  });
}

function fromSettings(layers: readonly Readonly<Record<string, unknown>>[], key: string): number | undefined {
  const value = layers.find((layer) => layer[key] !== undefined && layer[key] !== null)?.[key];
  if (value === undefined) return undefined;
  if (typeof value === "number" && value >= 0) return value;
  throw new IOError(
    "usage",
    `The setting "${key}" is ${JSON.stringify(value)}; expected milliseconds, 0 for no limit.`,
    { argument: key },
  );
}
