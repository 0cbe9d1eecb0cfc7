import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate, setTimeout } from "node:timers/promises";

/** One answer, as bytes and how they come. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Each is a write of its own. */
  readonly writes: readonly Uint8Array[];
  /** Milliseconds between two writes. Default: as soon as the one before is gone. */
  readonly spacingMs?: number;
  /** Waited for before each write. */
  readonly before?: () => Promise<void>;
  /** Waited for after the last write, before the ending. */
  readonly beforeEnding?: () => Promise<unknown>;
  /** `end` is a clean end, `reset` destroys the socket, `hold` leaves it open, `silent` never answers at all. */
  readonly ending: "end" | "reset" | "hold" | "silent";
}

export interface ReplayOptions {
  /** Path that the replies answer, one after the other; the last one repeats. */
  readonly path: string;
  readonly replies: readonly Reply[];
  /** JSON answers by `METHOD /path`. */
  readonly routes: Readonly<Record<string, unknown>>;
  /** A request to the path has come, whole. */
  readonly onRequest?: () => void;
}

export interface ReplayedRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Resolves when the client has closed the connection before the answer was whole. */
  readonly abandoned: Promise<true>;
}

export interface ReplayServer {
  readonly url: string;
  /** Requests to the path of the replies, in order. */
  readonly requests: readonly ReplayedRequest[];
  readonly close: () => Promise<void>;
}

/** A server on 127.0.0.1 that sends recorded bytes and remembers what it was asked. */
export async function startReplay(options: ReplayOptions): Promise<ReplayServer> {
  const requests: ReplayedRequest[] = [];
  const server = createServer((request, response) => {
    answer(request, response, options, requests).catch((error: unknown) => {
      // The client sees a broken connection, which is what a failed server is.
      response.destroy(error instanceof Error ? error : undefined);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  return { url: `http://127.0.0.1:${portOf(server)}`, requests, close: () => close(server) };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: ReplayOptions,
  requests: ReplayedRequest[],
): Promise<void> {
  const abandoned = new Promise<true>((resolve) => {
    response.once("close", () => {
      if (!response.writableFinished) resolve(true);
    });
  });
  const body = await bodyOf(request);
  const { method = "GET", url: target = "/" } = request;
  const path = target.split("?")[0] ?? target;
  if (path !== options.path || method !== "POST")
    return answerRoute(response, options.routes[`${method} ${path}`]);
  requests.push({ method, target, headers: headersOf(request), body, abandoned });
  options.onRequest?.();
  const reply = options.replies[Math.min(requests.length, options.replies.length) - 1];
  if (reply === undefined) throw new Error("the replay has no reply");
  await play(response, reply);
}

async function play(response: ServerResponse, reply: Reply): Promise<void> {
  if (reply.ending === "silent") return;
  response.socket?.setNoDelay(true);
  response.writeHead(reply.status ?? 200, { ...reply.headers });
  response.flushHeaders();
  for (const bytes of reply.writes) {
    await reply.before?.();
    if (response.destroyed) return;
    response.write(bytes);
    await (reply.spacingMs === undefined ? setImmediate() : setTimeout(reply.spacingMs));
  }
  await reply.beforeEnding?.();
  if (reply.ending === "end") response.end();
  if (reply.ending === "reset") response.socket?.resetAndDestroy();
}

function answerRoute(response: ServerResponse, value: unknown): void {
  const known = value !== undefined;
  response.writeHead(known ? 200 : 404, { "content-type": "application/json" });
  response.end(JSON.stringify(known ? value : { error: "the recording has no such route" }));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}

function headersOf({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("the replay server has no port");
  return address.port;
}

async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}
