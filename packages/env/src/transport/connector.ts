import type { Socket } from "node:net";
import type { buildConnector } from "undici";
import { ConnectFailure } from "./network-error.js";
import type { ProxyServer } from "./proxy-rule.js";
import { openTunnel } from "./tunnel.js";
import type { UndiciParts } from "./undici-parts.js";

export interface ConnectorOptions {
  readonly parts: UndiciParts;
  /** Opens plain and TLS sockets; shared, because it remembers TLS sessions. */
  readonly direct: buildConnector.connector;
  /** Proxy to open a tunnel through. */
  readonly tunnel: ProxyServer | undefined;
  /** Milliseconds until the connection stands, tunnel and TLS included; 0: no limit. */
  readonly timeoutMs: number;
}

/** Makes the connections of one client, one at a time. */
export interface Connector {
  readonly connect: buildConnector.connector;
  /** Closes what is half open; no callback follows. */
  readonly stop: () => void;
}

export function createConnector({ parts, direct, tunnel, timeoutMs }: ConnectorOptions): Connector {
  const half: (() => void)[] = [];
  const stop = (): void => {
    for (const close of half.splice(0)) close();
  };
  const openTracked: buildConnector.connector = (target, callback) => {
    // undici returns the socket while it connects; its types leave that out.
    const socket = direct(target, callback) as Socket | undefined;
    if (socket !== undefined) half.push(() => socket.destroy());
  };
  const connect: buildConnector.connector = (target, callback) => {
    let settled = false;
    const settle = (...[error, socket]: buildConnector.CallbackArgs): void => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      if (error === null) {
        half.length = 0;
        callback(null, socket);
      } else {
        stop();
        callback(ConnectFailure.from(error), null);
      }
    };
    const timer =
      timeoutMs > 0
        ? setTimeout(() => settle(ConnectFailure.timeout(timeoutMs), null), timeoutMs)
        : undefined;
    half.push(() => clearTimeout(timer));
    if (tunnel === undefined) openTracked(target, settle);
    else half.push(openTunnel({ parts, proxy: tunnel, target, open: openTracked, settle }));
  };
  return { connect, stop };
}
