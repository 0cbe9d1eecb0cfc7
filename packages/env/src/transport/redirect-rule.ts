import { EnvError } from "../env-error.js";
import { displayUrl } from "./request-target.js";

const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export interface RedirectQuery {
  readonly from: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;
  readonly location: string | undefined;
  /** How many were followed already. */
  readonly followed: number;
}

/**
 * Where a response sends the request, or undefined when it is the answer. Only a GET without credentials is followed,
 * at most 5 times and within one scheme; anything else throws kind `provider` and names the place it was sent to.
 */
export function redirectTarget(query: RedirectQuery): URL | undefined {
  const { from, status, location } = query;
  if (!REDIRECTS.has(status) || location === undefined) return undefined;
  if (!URL.canParse(location, from.href)) throw refusal(query, "elsewhere", "the address is not a URL");
  const to = new URL(location, from);
  const reason = refusalReason(query, to);
  if (reason !== undefined) throw refusal(query, `to ${to.origin}`, reason);
  return to;
}

/** True when a header carries a key, a token or a session. */
export function carriesCredentials(headers: Readonly<Record<string, string>>): boolean {
  return Object.keys(headers).some((name) =>
    /^(proxy-)?authorization$|^cookie$|key|token|secret/i.test(name),
  );
}

function refusalReason({ from, method, headers, followed }: RedirectQuery, to: URL): string | undefined {
  if (carriesCredentials(headers)) return "the request carries credentials";
  if (method !== "GET" && method !== "HEAD") return `a ${method} is not sent twice`;
  if (to.protocol !== from.protocol) return `it changes ${from.protocol} to ${to.protocol}`;
  if (to.username !== "" || to.password !== "") return "the address holds credentials";
  if (followed >= MAX_REDIRECTS) return `${MAX_REDIRECTS} redirects were followed already`;
  return undefined;
}

function refusal({ from, status }: RedirectQuery, where: string, reason: string): EnvError {
  return new EnvError(
    "provider",
    `${displayUrl(from)} answered ${status}, a redirect ${where}; not followed, because ${reason}. Set the endpoint's url to its final address.`,
    { status },
  );
}
