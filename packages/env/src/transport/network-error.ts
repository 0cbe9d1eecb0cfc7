import { EnvError } from "../env-error.js";

const CONNECT_TIMEOUT = "ETIMEDOUT";

export interface FailurePlace {
  /** Origin of the server, such as `http://127.0.0.1:11434`. */
  readonly origin: string;
  /** Origin of the proxy in between. */
  readonly proxy?: string | undefined;
  /** The response had begun. */
  readonly started: boolean;
}

/**
 * A failure of connecting. It has no `code` of its own: some codes of the cause make the HTTP client try for ever.
 */
export class ConnectFailure extends Error {
  readonly causeCode: string | undefined;

  constructor(message: string, options?: { readonly code?: string; readonly cause?: unknown }) {
    super(message, options);
    this.causeCode = options?.code ?? errorCode(options?.cause);
  }

  static from(error: Error): ConnectFailure {
    return error instanceof ConnectFailure ? error : new ConnectFailure(error.message, { cause: error });
  }

  static timeout(timeoutMs: number): ConnectFailure {
    return new ConnectFailure(`no connection within ${timeoutMs} ms`, { code: CONNECT_TIMEOUT });
  }
}

/** Kind `network`, in words that say what to look at, with the code in the details; kind `usage` for a header that cannot be sent. */
export function networkError(error: unknown, place: FailurePlace): EnvError {
  const code = errorCode(error);
  if (code === "UND_ERR_INVALID_ARG") {
    return new EnvError("usage", `the request to ${place.origin} cannot be sent: ${messageOf(error)}`, {});
  }
  const via = place.proxy === undefined ? "" : ` (through the proxy ${place.proxy})`;
  return new EnvError(
    "network",
    words(error, code, place) + via,
    { url: place.origin, ...(code === undefined ? {} : { code }) },
    { cause: error },
  );
}

export function cancelledError(origin: string, cause: unknown): EnvError {
  return new EnvError("cancelled", `the request to ${origin} was cancelled`, {}, { cause });
}

function words(error: unknown, code: string | undefined, { origin, proxy, started }: FailurePlace): string {
  const host = proxy ?? origin;
  switch (code) {
    case "ECONNREFUSED":
      return `nothing listens at ${host}`;
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `the host name of ${host} cannot be resolved`;
    case "EHOSTUNREACH":
    case "ENETUNREACH":
      return `${host} cannot be reached`;
    case "UND_ERR_SOCKET":
    case "ECONNRESET":
    case "EPIPE":
    case "UND_ERR_RES_CONTENT_LENGTH_MISMATCH":
      return `${origin} closed the connection ${started ? "before the response was complete" : "without an answer"}`;
    case CONNECT_TIMEOUT:
      return `no connection to ${host}: ${messageOf(error)}`;
    default:
      return defaultWords(error, code, origin);
  }
}

function defaultWords(error: unknown, code: string | undefined, origin: string): string {
  if (error instanceof Error && error.name === "HTTPParserError") return `${origin} does not answer in HTTP`;
  if (code !== undefined && /CERT|SELF_SIGNED|ERR_TLS|ERR_SSL|EPROTO/.test(code)) {
    return `no secure connection to ${origin}: ${messageOf(error)}`;
  }
  return `the request to ${origin} failed: ${messageOf(error)}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function errorCode(error: unknown): string | undefined {
  if (error instanceof ConnectFailure) return error.causeCode;
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
