import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { RecordedRequest } from "./recorded-request.js";
import { type RequestEntry, recordRequest } from "./request-log.js";

export interface ListenOptions {
  /** Default: any free port. */
  readonly port?: number | undefined;
  /** Default `127.0.0.1`. */
  readonly host?: string | undefined;
}

/** One request on its way through the server. */
export interface Visit {
  readonly entry: RequestEntry;
  readonly bytes: Uint8Array;
  readonly response: ServerResponse;
}

export interface Listener {
  readonly port: number;
  /** Every request so far, in order of arrival. */
  readonly requests: readonly RecordedRequest[];
  /** Destroys what is open and frees the port. */
  readonly close: () => Promise<void>;
}

/** Listens, records, and hands each complete request to `handle`. */
export async function listen(
  options: ListenOptions,
  handle: (visit: Visit) => Promise<void>,
): Promise<Listener> {
  const requests: RecordedRequest[] = [];
  const server = createServer((request, response) => {
    const entry = recordRequest(request, response);
    requests.push(entry);
    body(request)
      .then((bytes) => handle({ entry, bytes, response }))
      .catch((error: unknown) => fail(response, error));
  });
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, options.host ?? "127.0.0.1", resolve);
  });
  // A TCP server's address is never a pipe's name.
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { port, requests, close };
}

async function body(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** A client that left needs no answer; any other failure is shown to the one who waits. */
function fail(response: ServerResponse, error: unknown): void {
  if (response.destroyed) return;
  if (response.headersSent) response.destroy();
  else response.writeHead(500, { "content-type": "text/plain" }).end(`The fake server failed: ${error}`);
}
