import { IOError } from "../io-error.js";

export interface BaseUrlOptions {
  /** Settings key of the base URL, named in errors. Default `url`. */
  readonly key?: string;
  /** Taken when the URL has no path. Default `/v1`; empty for a server whose API is at the root. */
  readonly prefix?: string;
}

const WANTED = "Wanted: scheme, host and API prefix, such as http://127.0.0.1:1234/v1";

/** Paths of single calls, which people paste together with the base. */
const PASTED: readonly (readonly string[])[] = [["chat", "completions"], ["responses"], ["models"]];

/**
 * The URL of one API call below a base URL as people spell it: blanks around, slashes at the end,
 * a pasted call path and a doubled version are forgiven; the query is kept.
 * Throws kind `malformed` with the key, the value and the wanted form.
 */
export function apiUrl(base: string, path: string, options: BaseUrlOptions = {}): string {
  const url = parse(base.trim(), options.key ?? "url");
  const given = withoutPastedCall(url.pathname.split("/").filter((segment) => segment !== ""));
  const segments = given.length > 0 ? given : (options.prefix ?? "/v1").split("/").filter(Boolean);
  return `${url.origin}/${[...withoutRepeats(segments), path].join("/")}${url.search}`;
}

function parse(value: string, key: string): URL {
  if (value === "") throw refused(value, key, "is empty");
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(value))
    throw refused(value, key, "has no scheme (http:// or https://)");
  if (!URL.canParse(value)) throw refused(value, key, "is not a URL");
  const url = new URL(value);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw refused(value, key, `has the scheme ${url.protocol}// instead of http:// or https://`);
  }
  if (url.username !== "" || url.password !== "") {
    throw refused(value, key, "holds a user name or password; credentials go into auth");
  }
  return url;
}

function withoutPastedCall(segments: readonly string[]): readonly string[] {
  const pasted = PASTED.find((call) => call.every((part, i) => segments.at(i - call.length) === part));
  return pasted === undefined ? segments : segments.slice(0, -pasted.length);
}

/** `/v1/v1` is one version, joined twice. */
function withoutRepeats(segments: readonly string[]): readonly string[] {
  return segments.filter((segment, i) => !/^v\d+$/.test(segment) || segment !== segments[i - 1]);
}

function refused(value: string, key: string, why: string): IOError {
  return new IOError("malformed", `${key}: ${JSON.stringify(shown(value))} ${why}. ${WANTED}`, { at: key });
}

/** The value without what may be a secret: user info and the query. */
function shown(value: string): string {
  return value
    .slice(0, 200)
    .replace(/\/\/[^/@]*@/, "//…@")
    .replace(/\?.*$/s, "?…");
}
