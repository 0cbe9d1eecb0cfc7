import { isAshlarError, isObject } from "@ashlar/context";
import type { ClassifiedError, RequestErrorKind } from "@ashlar/context/provider";
import { contextOverflowOf } from "./context-overflow.js";

const REQUEST_KINDS: ReadonlySet<string> = new Set<RequestErrorKind>([
  "auth",
  "network",
  "provider",
  "malformed",
  "cancelled",
]);
const RETRIED_STATUS: ReadonlySet<number> = new Set([408, 409, 425, 429]);
const OVERLOAD =
  /overloaded|overload_error|over capacity|at capacity|server (?:is )?busy|queue (?:is )?full/i;
const DEPLETED =
  /insufficient_quota|exceeded your current quota|billing|credit balance|out of credits|payment required|(?:monthly|weekly|daily) (?:usage |spend(?:ing)? )?limit/i;
/** Codes of sockets, of the resolver and of HTTP clients. */
const NETWORK_CODE =
  /^(?:ECONN[A-Z]+|EPIPE|ETIMEDOUT|E(?:HOST|NET)(?:UNREACH|DOWN)|ENOTFOUND|EPROTO|EAI_[A-Z]+|UND_ERR_[A-Z_]+|HPE_[A-Z_]+|CERT_[A-Z_]+|ERR_(?:TLS|SSL)_[A-Z_]+)$/;
/** Texts are searched no further than this. */
const SEARCHED_CHARACTERS = 4000;

/** The shared verdict on any failure of a request; a provider's `classifyError` may refine it. Never throws. */
export function classifyError(error: unknown): ClassifiedError {
  const facts = factsOf(error);
  const kind = kindOf(error, facts);
  const searched = facts.message.slice(0, SEARCHED_CHARACTERS);
  const contextOverflow =
    facts.contextOverflow ?? (kind === "provider" ? contextOverflowOf(searched, facts.code) : undefined);
  return {
    kind,
    message: facts.message,
    ...(facts.status !== undefined && { status: facts.status }),
    ...(facts.retryAfterMs !== undefined && { retryAfterMs: facts.retryAfterMs }),
    ...(contextOverflow !== undefined && { contextOverflow }),
    ...retry(facts.retryable ?? (kind === "provider" && isMistake(error, facts) ? false : undefined)),
  };
}

/** Is a token budget used up, as against a passing rate limit, which states its wait. */
export function depletionError({ status, message, retryAfterMs }: ClassifiedError): boolean {
  if (status === 402) return true;
  return retryAfterMs === undefined && DEPLETED.test(message.slice(0, SEARCHED_CHARACTERS));
}

/** May the request be sent again: network, 408, 409, 425, 429, 5xx and overload; a failure inside a stream has no status. */
export function isRetryable(classified: ClassifiedError): boolean {
  const { kind, status, retryable, contextOverflow, message } = classified;
  if (retryable !== undefined) return retryable;
  if (kind === "network") return true;
  if (kind !== "provider" || contextOverflow !== undefined) return false;
  if (status === undefined || status >= 500 || RETRIED_STATUS.has(status)) return true;
  return OVERLOAD.test(message.slice(0, SEARCHED_CHARACTERS));
}

/** The kind that a status alone stands for. */
export function kindOfStatus(status: number): "auth" | "provider" {
  return status === 401 || status === 403 ? "auth" : "provider";
}

interface Facts {
  readonly message: string;
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly contextOverflow: ClassifiedError["contextOverflow"];
  readonly retryable: boolean | undefined;
}

/** Plain errors carry their facts as members, errors of ours in `details`. */
function factsOf(error: unknown): Facts {
  const own = isObject(error) ? error : {};
  const details = isObject(own.details) ? own.details : {};
  const fact = (name: string): unknown => own[name] ?? details[name];
  const overflow = fact("contextOverflow");
  const retryable = fact("retryable");
  return {
    message: messageOf(error),
    status: finite(fact("status")),
    code: codeOf(fact("code"), own.cause),
    retryAfterMs: finite(fact("retryAfterMs")),
    contextOverflow: isObject(overflow) ? overflow : undefined,
    retryable: typeof retryable === "boolean" ? retryable : undefined,
  };
}

function kindOf(error: unknown, { status, code }: Facts): RequestErrorKind {
  if (isObject(error) && isRequestKind(error.kind)) return error.kind;
  if (status !== undefined) return kindOfStatus(status);
  if (error instanceof SyntaxError) return "malformed";
  if (error instanceof Error && error.name === "AbortError") return "network";
  if (error instanceof Error && error.name === "TimeoutError") return "network";
  if (code !== undefined && NETWORK_CODE.test(code) && !isAshlarError(error)) return "network";
  return "provider";
}

export function isRequestKind(kind: unknown): kind is RequestErrorKind {
  return typeof kind === "string" && REQUEST_KINDS.has(kind);
}

/** An error that says neither its kind nor a status is a mistake in code: the same at the next attempt. */
function isMistake(error: unknown, { status }: Facts): boolean {
  return status === undefined && !(isObject(error) && isRequestKind(error.kind));
}

function retry(retryable: boolean | undefined): Pick<ClassifiedError, "retryable"> {
  return retryable === undefined ? {} : { retryable };
}

function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message === "" ? error.name : error.message;
  if (isObject(error) && typeof error.message === "string") return error.message;
  return String(error);
}

function codeOf(code: unknown, cause: unknown): string | undefined {
  if (typeof code === "string") return code;
  return isObject(cause) && typeof cause.code === "string" ? cause.code : undefined;
}

function finite(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
