export type BaseUrl =
  | { readonly ok: true; readonly url: string; readonly origin: string }
  | { readonly ok: false; readonly problem: string };

export interface BaseUrlQuery {
  /** As a person wrote it. */
  readonly value: unknown;
  /** Names the place in the problem, such as `providers.lab.url`. */
  readonly key: string;
  /** Schemes besides `http:` and `https:`, for providers that reach no network. */
  readonly schemes?: readonly string[];
}

const EXAMPLE = "http://127.0.0.1:1234/v1";

/**
 * A base URL without the blanks, doubled and trailing slashes that people type; the query is kept. A problem says what
 * is wrong and what would be right, and repeats neither credentials nor the query.
 */
export function parseBaseUrl({ value, key, schemes = [] }: BaseUrlQuery): BaseUrl {
  if (typeof value !== "string" || value.trim() === "") {
    return problem(`${key} is empty; expected a URL such as ${EXAMPLE}`);
  }
  const text = value.trim();
  const shown = JSON.stringify(withoutSecrets(text));
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
    const fixed = `http://${withoutSecrets(text).replace(/^\/+/, "")}`;
    return problem(`${key}: ${shown} has no scheme; write ${URL.canParse(fixed) ? fixed : EXAMPLE}`);
  }
  if (!URL.canParse(text)) return problem(`${key}: ${shown} is not a URL; expected one such as ${EXAMPLE}`);
  const url = new URL(text);
  if (![...schemes, "http:", "https:"].includes(url.protocol)) {
    return problem(
      `${key}: ${shown} has the scheme ${url.protocol}//; expected http:// or https://, such as ${EXAMPLE}`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    return problem(
      `${key}: ${shown} holds credentials; write ${shownUrl(url)} and store the credentials with a login`,
    );
  }
  return { ok: true, url: normalized(url), origin: originOf(url) };
}

/** What a credential is bound to: scheme, host and port. */
export function originOf(url: URL): string {
  // The platform gives "null" as origin of schemes it does not know.
  return url.origin === "null" ? `${url.protocol}//${url.host}` : url.origin;
}

function normalized(url: URL): string {
  const path = url.pathname.replace(/\/{2,}/g, "/").replace(/\/$/, "");
  return originOf(url) + path + url.search;
}

function shownUrl(url: URL): string {
  return originOf(url) + url.pathname.replace(/\/$/, "");
}

function withoutSecrets(text: string): string {
  return text
    .slice(0, 200)
    .replace(/[?#].*$/s, "")
    .replace(/^([^/]*\/\/)?[^/]*@/, "$1");
}

function problem(text: string): BaseUrl {
  return { ok: false, problem: text };
}
