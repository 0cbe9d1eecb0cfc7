import { createTransport, type Transport, type TransportResponse } from "@ashlar/env/transport";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { answer, readAll, startHttpServer, startTcpServer, type TestServer, within } from "./test-server.js";

const ROUNDS = 100;
const servers: TestServer[] = [];
let transport: Transport;

beforeEach(() => {
  transport = createTransport({ environment: {} });
});
afterEach(async () => {
  await transport.close();
  for (const server of servers.splice(0)) await server.close();
});

async function keep(starting: Promise<TestServer>): Promise<TestServer> {
  const server = await starting;
  servers.push(server);
  return server;
}

/** Sends the head and one piece, then goes silent. */
function startStalling(): Promise<TestServer> {
  return keep(
    startHttpServer((_request, response) => {
      response.write("first ");
    }),
  );
}

async function firstPiece(response: TransportResponse): Promise<AsyncIterator<Uint8Array>> {
  const body = response.body[Symbol.asyncIterator]();
  expect(new TextDecoder().decode((await body.next()).value)).toBe("first ");
  return body;
}

describe("an abort", () => {
  it("before the request is sent opens no socket", async () => {
    const server = await keep(startHttpServer((_request, response) => answer(response, "ok")));
    const failure = transport.request({
      url: server.url,
      method: "GET",
      headers: {},
      signal: AbortSignal.abort(),
    });
    await expect(failure).rejects.toMatchObject({ kind: "cancelled" });
    expect(server.sockets).toHaveLength(0);
  });

  it("in the tick of the request opens no socket", async () => {
    const server = await keep(startHttpServer((_request, response) => answer(response, "ok")));
    const abort = new AbortController();
    const failure = transport.request({ url: server.url, method: "GET", headers: {}, signal: abort.signal });
    abort.abort();
    await expect(failure).rejects.toMatchObject({ kind: "cancelled" });
    expect(server.sockets).toHaveLength(0);
  });

  it("while the connection is made closes the socket", async () => {
    // A TCP server that never answers the TLS greeting: the connection does not stand.
    const abort = new AbortController();
    const server = await keep(startTcpServer((socket) => socket.once("data", () => abort.abort())));
    const url = server.url.replace("http:", "https:");
    const failure = transport.request({ url, method: "GET", headers: {}, signal: abort.signal });
    await expect(failure).rejects.toMatchObject({ kind: "cancelled" });
    await within(server.allClosed(), "closing the socket");
    expect(server.sockets).toHaveLength(1);
  });

  it("while the answer is awaited closes the socket and keeps the reason as cause", async () => {
    const abort = new AbortController();
    const server = await keep(startHttpServer(() => abort.abort(new Error("user pressed escape"))));
    const failure = transport.request({
      url: server.url,
      method: "POST",
      headers: {},
      body: "x",
      signal: abort.signal,
    });
    await expect(failure).rejects.toMatchObject({
      kind: "cancelled",
      message: `the request to ${server.url} was cancelled`,
      cause: { message: "user pressed escape" },
    });
    await within(server.allClosed(), "closing the socket");
  });

  it("while a reader waits for the next bytes closes the socket and rejects the read", async () => {
    const server = await startStalling();
    const abort = new AbortController();
    const response = await transport.request({
      url: server.url,
      method: "GET",
      headers: {},
      signal: abort.signal,
    });
    const body = await firstPiece(response);
    const next = body.next();
    abort.abort();
    await expect(within(next, "rejecting the read")).rejects.toMatchObject({ kind: "cancelled" });
    await expect(body.next()).rejects.toMatchObject({ kind: "cancelled" });
    await within(server.allClosed(), "closing the socket");
  });

  it("while the reader is elsewhere drops what is buffered", async () => {
    const server = await startStalling();
    const abort = new AbortController();
    const response = await transport.request({
      url: server.url,
      method: "GET",
      headers: {},
      signal: abort.signal,
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    abort.abort();
    await expect(readAll(response.body)).rejects.toMatchObject({ kind: "cancelled" });
    await within(server.allClosed(), "closing the socket");
  });

  it("while the socket is paused by a slow reader closes it", async () => {
    const server = await keep(
      startHttpServer((_request, response) => response.end(Buffer.alloc(20_000_000))),
    );
    const abort = new AbortController();
    const response = await transport.request({
      url: server.url,
      method: "GET",
      headers: {},
      signal: abort.signal,
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    abort.abort();
    await expect(readAll(response.body)).rejects.toMatchObject({ kind: "cancelled" });
    await within(server.allClosed(), "closing the socket");
  });

  it("after the last byte changes nothing", async () => {
    const server = await keep(startHttpServer((_request, response) => answer(response, "all of it")));
    const abort = new AbortController();
    const response = await transport.request({
      url: server.url,
      method: "GET",
      headers: {},
      signal: abort.signal,
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    abort.abort();
    expect(await readAll(response.body)).toBe("all of it");
  });

  it("leaves other requests to the same server alone", async () => {
    const server = await keep(
      startHttpServer((request, response) => {
        if (request.url === "/stall") return;
        setTimeout(() => answer(response, "ok"), 100);
      }),
    );
    const abort = new AbortController();
    const stalled = transport.request({
      url: `${server.url}/stall`,
      method: "GET",
      headers: {},
      signal: abort.signal,
    });
    const other = transport.request({ url: `${server.url}/ok`, method: "GET", headers: {} });
    setTimeout(() => abort.abort(), 30);
    await expect(stalled).rejects.toMatchObject({ kind: "cancelled" });
    expect(await readAll((await other).body)).toBe("ok");
  });

  it(`closes the socket each of ${ROUNDS} times`, async () => {
    const server = await startStalling();
    for (let round = 0; round < ROUNDS; round++) {
      const abort = new AbortController();
      const response = await transport.request({
        url: server.url,
        method: "POST",
        headers: {},
        body: "x",
        signal: abort.signal,
      });
      const body = await firstPiece(response);
      const next = body.next();
      abort.abort();
      await expect(within(next, `rejecting read ${round}`)).rejects.toMatchObject({ kind: "cancelled" });
    }
    await within(server.allClosed(), "closing every socket");
    expect(server.sockets).toHaveLength(ROUNDS);
  });
});

describe("leaving the body early", () => {
  it(`closes the socket each of ${ROUNDS} times`, async () => {
    const server = await startStalling();
    for (let round = 0; round < ROUNDS; round++) {
      const response = await transport.request({ url: server.url, method: "POST", headers: {}, body: "x" });
      for await (const chunk of response.body) {
        expect(chunk.length).toBeGreaterThan(0);
        break;
      }
    }
    await within(server.allClosed(), "closing every socket");
    expect(server.sockets).toHaveLength(ROUNDS);
  });

  it("gives nothing more and is no error", async () => {
    const server = await startStalling();
    const response = await transport.request({ url: server.url, method: "GET", headers: {} });
    const body = await firstPiece(response);
    await body.return?.();
    expect(await body.next()).toEqual({ done: true, value: undefined });
  });
});

describe("the time limit of connecting", () => {
  it("is kind network, names the limit and closes the socket", async () => {
    const server = await keep(startTcpServer((socket) => socket.resume()));
    const url = server.url.replace("http:", "https:");
    const failure = transport.request({ url, method: "GET", headers: {}, connectTimeoutMs: 80 });
    await expect(failure).rejects.toMatchObject({
      kind: "network",
      message: `no connection to ${url}: no connection within 80 ms`,
      details: { code: "ETIMEDOUT" },
    });
    await within(server.allClosed(), "closing the socket");
  });

  it("does not count the wait for an answer", async () => {
    const server = await keep(
      startHttpServer((_request, response) => void setTimeout(() => answer(response, "slow"), 300)),
    );
    const response = await transport.request({
      url: server.url,
      method: "GET",
      headers: {},
      connectTimeoutMs: 100,
    });
    expect(await readAll(response.body)).toBe("slow");
  });
});
