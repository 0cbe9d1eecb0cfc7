/** The longest line between host and sandbox unless an option says otherwise. */
export const DEFAULT_LINE_BYTES = 16 * 1024 * 1024;

export const encodeFrame = (frame: object): Uint8Array =>
  new TextEncoder().encode(`${JSON.stringify(frame)}\n`);

/** The same form both ways. Undefined if JSON has nothing for the value; throws what a cycle or a `toJSON` throws. */
export function encodeMessage(value: unknown): Uint8Array | undefined {
  // Undefined for a function, whatever the declaration says.
  const text: string | undefined = JSON.stringify(value);
  return text === undefined ? undefined : new TextEncoder().encode(`{"kind":"value","value":${text}}\n`);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The host's first line is `{ start }`; every later one is a message. */
export type StartRequest = {
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd: string;
} & (
  | { readonly command: readonly string[] }
  | { readonly module: string; readonly maxLineBytes: number }
  | { readonly check: CheckRequest }
);

/** What the probe has tried inside. */
export interface CheckRequest {
  /** Must take a file. */
  readonly writable: string;
  /** Must not. */
  readonly outside: string;
}

export interface CheckResult {
  readonly wroteInside: boolean;
  readonly wroteOutside: boolean;
  readonly openedUnixSocket: boolean;
}

/** What the program inside tells the host. Everything after `ready` may come from a program nobody vouches for. */
export type InsideFrame =
  | { readonly kind: "ready"; readonly report: unknown }
  | { readonly kind: "loaded" }
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "exit"; readonly code: number | null; readonly signal: string | null }
  | { readonly kind: "failed"; readonly code: string; readonly message: string }
  | { readonly kind: "checked"; readonly result: unknown };

const textOr = (value: unknown, otherwise: string): string => (typeof value === "string" ? value : otherwise);

/** Undefined for a line of any other form. */
export function decodeInsideFrame(value: unknown): InsideFrame | undefined {
  if (!isRecord(value)) return undefined;
  switch (value.kind) {
    case "ready":
      return { kind: "ready", report: value.report };
    case "loaded":
      return { kind: "loaded" };
    case "value":
      return { kind: "value", value: value.value };
    case "exit":
      return {
        kind: "exit",
        code: typeof value.code === "number" && Number.isInteger(value.code) ? value.code : null,
        signal:
          typeof value.signal === "string" && /^SIG[A-Z0-9]{2,10}$/.test(value.signal) ? value.signal : null,
      };
    case "failed":
      return { kind: "failed", code: textOr(value.code, ""), message: textOr(value.message, "") };
    case "checked":
      return { kind: "checked", result: value.result };
    default:
      return undefined;
  }
}

/** Undefined for anything of another form. */
export function decodeCheckResult(value: unknown): CheckResult | undefined {
  if (!isRecord(value)) return undefined;
  const { wroteInside, wroteOutside, openedUnixSocket } = value;
  if (typeof wroteInside !== "boolean" || typeof wroteOutside !== "boolean") return undefined;
  return typeof openedUnixSocket === "boolean" ? { wroteInside, wroteOutside, openedUnixSocket } : undefined;
}
