import type { AuthRecord } from "@ashlar/context/provider";
import { OllamaError } from "../ollama-error.js";

export const DEFAULT_URL = "http://127.0.0.1:11434";
const DEFAULT_PORT = "11434";
const WANTED = "wanted a host, host:port or URL, such as 127.0.0.1:11434 or https://ollama.example.com";
/** Paths of Ollama's APIs, which people copy along with the address. */
const PASTED_PATH = /\/(?:api(?:\/chat)?|v1(?:\/chat\/completions)?)$/;

/** Where a server listens, without credentials in the URL. */
export interface Address {
  /** Scheme, host, port and path prefix; no slash at the end. */
  readonly url: string;
  /** From `user:password@` in what was written. */
  readonly auth?: AuthRecord;
}

/**
 * Reads an address as people write it: `OLLAMA_HOST`, or an endpoint's url. Blank text gives undefined.
 * Without a scheme it is http, and the port is Ollama's; bind-all addresses become loopback.
 * Throws kind `malformed` that names `at`, and never shows a password.
 */
export function parseAddress(written: string, at: string): Address | undefined {
  const text = unquoted(written);
  if (text === "") return undefined;
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== "http" && scheme !== "https") {
    throw refused(at, text, `the scheme ${scheme}:// is not http:// or https://`);
  }
  const rest = scheme === undefined ? text : text.slice(scheme.length + "://".length);
  const parts = splitAddress(rest);
  if (parts === undefined || !isPort(parts.port)) throw refused(at, text, "it has no readable host and port");
  const port = parts.port === "" && scheme === undefined ? DEFAULT_PORT : parts.port;
  const candidate = `${scheme ?? "http"}://${reachable(parts.host)}${port === "" ? "" : `:${port}`}${parts.path}`;
  if (!URL.canParse(candidate)) throw refused(at, text, "it is not a URL");
  const url = new URL(candidate);
  const auth = basicAuth(parts.user);
  return { url: `${url.origin}${prefixOf(url.pathname)}${url.search}`, ...(auth && { auth }) };
}

/** The address of an endpoint's url; blank text gives the default. Throws kind `malformed`. */
export function readAddress(url: string): Address {
  return parseAddress(url, "url") ?? { url: DEFAULT_URL };
}

/** The URL of one call below an address; a query of the address is kept. */
export function callUrl(address: string, path: string): string {
  const url = new URL(address);
  return `${url.origin}${prefixOf(url.pathname)}${path}${url.search}`;
}

interface Parts {
  readonly user: string;
  readonly host: string;
  readonly port: string;
  readonly path: string;
}

function splitAddress(rest: string): Parts | undefined {
  const [, authority = "", path = ""] = /^([^/?#]*)(.*)$/s.exec(rest) ?? [];
  const at = authority.lastIndexOf("@");
  const user = at < 0 ? "" : authority.slice(0, at);
  const place = splitPort(authority.slice(at + 1));
  // A host of digits only is a port without its colon; read as a URL it would be an address of its own.
  if (place === undefined || /\s/.test(rest) || /^\d+$/.test(place.host)) return undefined;
  return { user, path, host: place.host === "" ? "127.0.0.1" : place.host, port: place.port };
}

function splitPort(place: string): { readonly host: string; readonly port: string } | undefined {
  const bracketed = /^\[([0-9a-f:.%]+)\](?::(\d*))?$/i.exec(place);
  if (bracketed !== null) return { host: `[${bracketed[1]}]`, port: bracketed[2] ?? "" };
  if (URL.canParse(`http://[${place}]`)) return { host: `[${place}]`, port: "" };
  const colon = place.lastIndexOf(":");
  if (colon < 0) return place === "" ? undefined : { host: place, port: "" };
  const host = place.slice(0, colon);
  const port = place.slice(colon + 1);
  if (!host.includes(":")) return { host, port };
  return URL.canParse(`http://[${host}]`) ? { host: `[${host}]`, port } : undefined;
}

function isPort(port: string): boolean {
  return port === "" || (/^\d{1,5}$/.test(port) && Number(port) > 0 && Number(port) < 65_536);
}

/** A server bound to every address is reached by loopback. */
function reachable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  return host === "[::]" ? "[::1]" : host;
}

function prefixOf(pathname: string): string {
  const path = pathname.replace(/\/{2,}/g, "/").replace(/\/+$/, "");
  return path.replace(PASTED_PATH, "");
}

function basicAuth(user: string): AuthRecord | undefined {
  if (user === "") return undefined;
  const token = user.split(":").map(decoded).join(":");
  return { type: "api_key", scheme: "basic", token };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A bare per cent sign is part of the password.
    return text;
  }
}

function unquoted(written: string): string {
  const text = written.trim();
  const [, inner] = /^"(.*)"$/s.exec(text) ?? /^'(.*)'$/s.exec(text) ?? [];
  return (inner ?? text).trim();
}

function refused(at: string, text: string, why: string): OllamaError<"malformed"> {
  const shown = text.slice(0, 200).replace(/^([^@]*:\/\/)?.*@/s, "$1…@");
  return new OllamaError("malformed", `${at}: ${JSON.stringify(shown)} cannot be used: ${why}; ${WANTED}`, {
    at,
  });
}
