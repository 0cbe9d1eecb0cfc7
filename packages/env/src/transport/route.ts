import type { ProxyServer } from "./proxy-rule.js";

/** How requests reach one server; requests of one key may share connections. */
export interface Route {
  readonly key: string;
  /** What the client connects to. */
  readonly origin: string;
  readonly proxy?: ProxyServer;
  /** The proxy forwards whole URLs; otherwise it opens a tunnel. */
  readonly absolute: boolean;
}

export function routeTo(target: URL, proxy: ProxyServer | undefined): Route {
  if (proxy === undefined) return { key: target.origin, origin: target.origin, absolute: false };
  if (target.protocol === "http:") {
    return { key: `forward ${proxy.origin}`, origin: proxy.origin, proxy, absolute: true };
  }
  return { key: `${target.origin} through ${proxy.origin}`, origin: target.origin, proxy, absolute: false };
}
