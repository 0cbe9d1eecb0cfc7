import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Connections opened before this request, its own included. */
  readonly connections: number;
}

/** One answer: each write is a separate piece on the wire when `pause` follows it. */
export interface Answer {
  readonly request: Received;
  readonly head: (status: number, headers: Readonly<Record<string, string>>) => void;
  readonly write: (piece: string | Uint8Array) => Promise<void>;
  readonly pause: (ms?: number) => Promise<void>;
  readonly end: (piece?: string) => void;
  /** Destroys the socket without an end. */
  readonly reset: () => void;
  /** Resolves when the client's side of the answer is gone. */
  readonly closed: Promise<void>;
}

export interface ScriptedServer {
  readonly url: string;
  readonly requests: readonly Received[];
  readonly openSockets: () => number;
  readonly close: () => Promise<void>;
}

/** A real server on 127.0.0.1 whose answers a test writes by hand. */
export async function startServer(script: (answer: Answer) => unknown): Promise<ScriptedServer> {
  const requests: Received[] = [];
  let connections = 0;
  let open = 0;
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const received = { path: request.url ?? "", headers: request.headers, body, connections };
    requests.push(received);
    await script(answerOf(received, response));
  });
  server.on("connection", (socket) => {
    connections++;
    open++;
    socket.setNoDelay(true);
    socket.on("close", () => open--);
    // A client that aborts resets its socket; that is what the tests are about.
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    openSockets: () => open,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answerOf(request: Received, response: ServerResponse): Answer {
  const closed = new Promise<void>((resolve) => response.on("close", resolve));
  const pause = (ms = 30): Promise<void> => sleep(ms, undefined, { ref: false });
  return {
    request,
    closed,
    pause,
    head: (status, headers) => {
      response.writeHead(status, headers);
      response.flushHeaders();
    },
    write: (piece) =>
      new Promise((resolve) => {
        if (response.destroyed) resolve();
        else response.write(piece, () => resolve());
      }),
    end: (piece) => response.end(piece),
    reset: () => response.destroy(),
  };
}
