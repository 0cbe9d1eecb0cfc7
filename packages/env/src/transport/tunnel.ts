import type { Socket } from "node:net";
import type { buildConnector } from "undici";
import { ConnectFailure } from "./network-error.js";
import type { ProxyServer } from "./proxy-rule.js";
import type { UndiciParts } from "./undici-parts.js";

export interface TunnelOptions {
  readonly parts: UndiciParts;
  readonly proxy: ProxyServer;
  readonly target: buildConnector.Options;
  readonly open: buildConnector.connector;
  readonly settle: buildConnector.Callback;
}

/** Asks the proxy for a tunnel and starts TLS inside it. Returns what gives up on it. */
export function openTunnel({ parts, proxy, target, open, settle }: TunnelOptions): () => void {
  const host = target.host ?? target.hostname;
  const path = target.port ? host : `${host}:443`;
  const client = new parts.Client(proxy.origin, { connect: open, headersTimeout: 0, bodyTimeout: 0 });
  const fail = (error: Error): void => {
    void client.destroy();
    settle(error, null);
  };
  client.dispatch(
    {
      path,
      method: "CONNECT",
      headers: {
        host: path,
        ...(proxy.authorization === undefined ? {} : { "proxy-authorization": proxy.authorization }),
      },
    },
    {
      onRequestStart: () => undefined,
      onRequestUpgrade: (_controller, status, _headers, stream) => {
        // A tunnel is a socket, which undici types as any duplex stream.
        const socket = stream as Socket;
        if (status === 200) {
          open({ ...target, httpSocket: socket }, settle);
          return;
        }
        socket.destroy();
        fail(proxyRefusal(proxy, status));
      },
      onResponseError: (_controller, error) => fail(ConnectFailure.from(error)),
    },
  );
  return () => void client.destroy();
}

export function proxyRefusal(proxy: ProxyServer, status: number): ConnectFailure {
  const wanted = status === 407 ? "; it wants a user name and password in its address" : "";
  return new ConnectFailure(`the proxy ${proxy.origin} answered ${status}${wanted}`, {
    code: "PROXY_REFUSED",
  });
}
