import { isAshlarError } from "@ashlar/context";
import { EnvError, type EnvErrorKind } from "../env-error.js";

export interface CallLimits {
  readonly timeoutMs: number;
  /** Ends the call early. */
  readonly signal: AbortSignal;
  readonly endpoint: string;
  /** Texts that may not appear in an error. */
  readonly secrets: readonly string[];
}

const KINDS: Readonly<Record<string, EnvErrorKind>> = {
  auth: "auth",
  network: "network",
  provider: "provider",
  malformed: "provider",
  cancelled: "cancelled",
  usage: "usage",
  settings: "settings",
};

/**
 * Runs a provider's catalogue function, which may hang or throw anything. Settles within the limit or at the abort and
 * rejects only with an `EnvError` of kind `auth`, `network`, `provider`, `cancelled`, `usage` or `settings`.
 */
export function catalogueCall<T>(run: (signal: AbortSignal) => Promise<T>, limits: CallLimits): Promise<T> {
  const { timeoutMs, signal, endpoint } = limits;
  const inner = new AbortController();
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", cancel);
    };
    const stop = (error: EnvError): void => {
      leave();
      reject(error);
      inner.abort(error);
    };
    const cancel = (): void =>
      stop(new EnvError("cancelled", `${endpoint}: cancelled`, {}, { cause: signal.reason }));
    const late = (): void =>
      stop(new EnvError("network", `${endpoint}: no answer within ${timeoutMs} ms`, { code: "ETIMEDOUT" }));
    const timer = setTimeout(late, timeoutMs);
    signal.addEventListener("abort", cancel);
    if (signal.aborted) {
      cancel();
      return;
    }
    started(run, inner.signal).then(
      (value) => {
        leave();
        resolve(value);
      },
      (error: unknown) => {
        leave();
        reject(catalogueError(error, limits));
      },
    );
  });
}

/** A function that throws before its first await fails like any other. */
async function started<T>(run: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
  return run(signal);
}

function catalogueError(error: unknown, { endpoint, secrets }: CallLimits): EnvError {
  const status = statusOf(error);
  const kind = (isAshlarError(error) ? KINDS[error.kind] : undefined) ?? kindOfStatus(status);
  const text = error instanceof Error ? error.message : String(error);
  const details = { endpoint, ...(status === undefined ? {} : { status }) };
  const shown = redacted(text, secrets);
  // Whoever prints an error prints its cause too.
  return new EnvError(kind, `${endpoint}: ${shown}`, details, shown === text ? { cause: error } : undefined);
}

function statusOf(error: unknown): number | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  if ("status" in error && typeof error.status === "number") return error.status;
  return "details" in error ? statusOf(error.details) : undefined;
}

function kindOfStatus(status: number | undefined): EnvErrorKind {
  return status === 401 || status === 403 ? "auth" : "provider";
}

function redacted(text: string, secrets: readonly string[]): string {
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, "…"), text);
}
