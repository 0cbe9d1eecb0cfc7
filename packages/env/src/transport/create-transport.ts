import { ConnectionPool } from "./connection-pool.js";
import { Exchange } from "./exchange.js";
import { createFetch } from "./fetch.js";
import { cancelledError, networkError } from "./network-error.js";
import { proxyFor } from "./proxy-rule.js";
import { redirectTarget } from "./redirect-rule.js";
import { type CheckedRequest, requestTarget } from "./request-target.js";
import { type Route, routeTo } from "./route.js";
import type { Transport, TransportResponse } from "./transport.js";
import { proxyRefusal } from "./tunnel.js";
import { loadUndici } from "./undici-parts.js";

export interface TransportOptions {
  /** Where the proxy variables are read from, at each request. Default `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Bytes that `fetch` reads of one body at most. Default 64 MiB. */
  readonly maxBodyBytes?: number;
}

const CONNECT_TIMEOUT_MS = 10_000;
const MAX_BODY_BYTES = 64 * 1024 * 1024;

export function createTransport(options: TransportOptions = {}): Transport {
  const { environment = process.env, maxBodyBytes = MAX_BODY_BYTES } = options;
  let pool: Promise<ConnectionPool> | undefined;
  const openPool = (): Promise<ConnectionPool> => {
    pool ??= loadUndici().then((parts) => new ConnectionPool(parts));
    return pool;
  };
  const send = async (request: CheckedRequest): Promise<TransportResponse> => {
    let url = request.url;
    for (let followed = 0; ; followed++) {
      const route = routeTo(url, proxyFor(url, environment));
      const response = await exchange({ ...request, url }, route, await openPool());
      const next = await redirected({ ...request, url }, response, followed);
      if (next === undefined) return response;
      url = next;
    }
  };
  return {
    request: async (request) => send({ ...request, url: requestTarget(request.url) }),
    fetch: createFetch(send, maxBodyBytes),
    close: async () => (await pool)?.close(),
  };
}

async function exchange(
  request: CheckedRequest,
  route: Route,
  pool: ConnectionPool,
): Promise<TransportResponse> {
  const { url, method, headers, body, signal, connectTimeoutMs = CONNECT_TIMEOUT_MS } = request;
  const { origin } = url;
  if (signal?.aborted) throw cancelledError(origin, signal.reason);
  const proxy = route.proxy?.origin;
  const connection = pool.acquire(route, connectTimeoutMs);
  const running = new Exchange({ connection, origin, proxy, signal });
  const path = url.pathname + url.search;
  const head = await running.start({
    path: route.absolute ? origin + path : path,
    method,
    headers: route.absolute ? forwardHeaders(url, headers, route) : headers,
    body: body ?? null,
  });
  if (head.status === 407 && route.proxy !== undefined) {
    await running.return();
    throw networkError(proxyRefusal(route.proxy, head.status), { origin, proxy, started: true });
  }
  return { ...head, body: running };
}

function forwardHeaders(
  url: URL,
  headers: Readonly<Record<string, string>>,
  route: Route,
): Record<string, string> {
  const authorization = route.proxy?.authorization;
  const proxy = authorization === undefined ? {} : { "proxy-authorization": authorization };
  return { ...headers, host: url.host, ...proxy };
}

async function redirected(
  { url, method, headers }: CheckedRequest,
  response: TransportResponse,
  followed: number,
): Promise<URL | undefined> {
  const { status } = response;
  if (status < 300 || status >= 400) return undefined;
  const location = response.headers.location;
  try {
    const next = redirectTarget({ from: url, method, headers, status, location, followed });
    if (next !== undefined) await discard(response);
    return next;
  } catch (error) {
    await discard(response);
    throw error;
  }
}

async function discard(response: TransportResponse): Promise<void> {
  await response.body[Symbol.asyncIterator]().return?.();
}
