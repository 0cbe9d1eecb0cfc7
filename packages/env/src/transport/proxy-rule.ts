import { EnvError } from "../env-error.js";

type Environment = Readonly<Record<string, string | undefined>>;

export interface ProxyServer {
  /** Without user name and password, so that it can be shown. */
  readonly origin: string;
  /** Value of the Proxy-Authorization header. */
  readonly authorization?: string;
}

/** The proxy for one address, or undefined for a direct connection. Throws kind `usage` for a proxy that is no URL. */
export function proxyFor(target: URL, environment: Environment): ProxyServer | undefined {
  if (isLoopback(target.hostname)) return undefined;
  const variable = target.protocol === "https:" ? "https_proxy" : "http_proxy";
  const found = setting(environment, variable);
  if (found === undefined || isExempt(target, setting(environment, "no_proxy")?.value ?? ""))
    return undefined;
  return parseProxy(found.name, found.value);
}

/** True for addresses that never leave this machine. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, "");
  if (host === "localhost" || host.endsWith(".localhost")) return true;
  if (host === "[::1]" || host === "[::]" || host === "0.0.0.0") return true;
  // The URL parser writes ::ffff:127.x.y.z as ::ffff:7fxx:yyzz.
  return /^127(\.\d+){3}$/.test(host) || /^\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\]$/.test(host);
}

function setting(environment: Environment, name: string): { name: string; value: string } | undefined {
  for (const key of [name, name.toUpperCase()]) {
    const value = environment[key]?.trim();
    if (value) return { name: key, value };
  }
  return undefined;
}

function parseProxy(name: string, value: string): ProxyServer {
  const address = value.includes("://") ? value : `http://${value}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new EnvError(
      "usage",
      `${name} is not a proxy address; expected one such as http://proxy.example:3128`,
      {
        argument: name,
      },
    );
  }
  if (url.username === "" && url.password === "") return { origin: url.origin };
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return { origin: url.origin, authorization: `Basic ${base64(credentials)}` };
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

function isExempt(target: URL, list: string): boolean {
  const host = target.hostname.toLowerCase();
  const port = target.port || (target.protocol === "https:" ? "443" : "80");
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => entry !== "" && exempts(entry, host, port));
}

function exempts(entry: string, host: string, port: string): boolean {
  if (entry === "*") return true;
  if (entry.includes("/")) return inNetwork(host, entry);
  const [, name = "", entryPort] = /^(\[[^\]]*\]|[^:]*|.*:.*:.*)(?::(\d+))?$/.exec(entry) ?? [];
  if (entryPort !== undefined && entryPort !== port) return false;
  const bare = name.replace(/^\*?\./, "");
  const plain = bare.includes(":") && !bare.startsWith("[") ? `[${bare}]` : bare;
  return plain !== "" && (host === plain || host.endsWith(`.${plain}`));
}

function inNetwork(host: string, network: string): boolean {
  const [address = "", length = ""] = network.split("/");
  const bits = Number(length);
  const base = ipv4(address);
  const own = ipv4(host);
  if (base === undefined || own === undefined || !(bits >= 0 && bits <= 32)) return false;
  const size = 2 ** (32 - bits);
  return Math.floor(base / size) === Math.floor(own / size);
}

function ipv4(text: string): number | undefined {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)?.slice(1).map(Number);
  if (parts === undefined || parts.some((part) => part > 255)) return undefined;
  return parts.reduce((value, part) => value * 256 + part, 0);
}
