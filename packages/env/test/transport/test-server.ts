import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import {
  type AddressInfo,
  createServer as createNetServer,
  type Server as NetServer,
  type Socket,
} from "node:net";

export interface TestServer {
  readonly port: number;
  readonly url: string;
  readonly requests: readonly IncomingMessage[];
  /** Sockets that were opened, in order. */
  readonly sockets: readonly Socket[];
  /** Resolves once every socket is closed. */
  readonly allClosed: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function startHttpServer(listener: RequestListener): Promise<TestServer> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    request.resume();
    listener(request, response);
  });
  return started(server, requests);
}

export function startTcpServer(listener: (socket: Socket) => void): Promise<TestServer> {
  return started(createNetServer(listener), []);
}

export async function started(server: NetServer, requests: readonly IncomingMessage[]): Promise<TestServer> {
  const sockets: Socket[] = [];
  const closings: Promise<unknown>[] = [];
  server.on("connection", (socket: Socket) => {
    sockets.push(socket);
    socket.on("error", () => socket.destroy());
    closings.push(new Promise((resolve) => socket.once("close", resolve)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A TCP server's address is an object, never a pipe's path.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    requests,
    sockets,
    allClosed: async () => void (await Promise.all(closings)),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

export function answer(response: ServerResponse, text: string, status = 200): void {
  response.writeHead(status, { "content-type": "text/plain" }).end(text);
}

export async function readAll(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

/** Fails a test that would hang, and says where. */
export function within<T>(promise: Promise<T>, what: string, timeoutMs = 5_000): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not happen within ${timeoutMs} ms`)), timeoutMs);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
