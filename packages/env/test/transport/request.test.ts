import { createTransport, type Transport } from "@ashlar/env/transport";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { answer, readAll, startHttpServer, startTcpServer, type TestServer, within } from "./test-server.js";

const servers: TestServer[] = [];
let transport: Transport;

beforeEach(() => {
  transport = createTransport({ environment: {} });
});
afterEach(async () => {
  await transport.close();
  for (const server of servers.splice(0)) await server.close();
});

async function http(...args: Parameters<typeof startHttpServer>): Promise<TestServer> {
  const server = await startHttpServer(...args);
  servers.push(server);
  return server;
}

async function tcp(...args: Parameters<typeof startTcpServer>): Promise<TestServer> {
  const server = await startTcpServer(...args);
  servers.push(server);
  return server;
}

describe("a request", () => {
  it("sends method, path, query, headers and body, and gives status, lower-case headers and every byte", async () => {
    let received = "";
    const server = await http((request, response) => {
      request.on("data", (chunk) => (received += chunk));
      request.on("end", () => {
        response.writeHead(418, { "X-Kind": "teapot", "Set-Cookie": ["a=1", "b=2"] });
        response.write("é🙂".slice(0, 1));
        response.end("日 ok");
      });
    });
    const response = await transport.request({
      url: `${server.url}/v1/chat?api-version=7`,
      method: "POST",
      headers: { "content-type": "application/json", "x-own": "yes" },
      body: '{"text":"日"}',
    });
    expect(response.status).toBe(418);
    expect(response.headers["x-kind"]).toBe("teapot");
    expect(response.headers["set-cookie"]).toBe("a=1, b=2");
    expect(await readAll(response.body)).toBe("é日 ok");
    expect(received).toBe('{"text":"日"}');
    expect(server.requests[0]).toMatchObject({ method: "POST", url: "/v1/chat?api-version=7" });
    expect(server.requests[0]?.headers).toMatchObject({ "x-own": "yes", "content-length": "14" });
  });

  it("uses one connection for requests after each other, and one each for requests at a time", async () => {
    const server = await http((_request, response) => answer(response, "ok"));
    const once = async (): Promise<string> => {
      const response = await transport.request({ url: server.url, method: "GET", headers: {} });
      return readAll(response.body);
    };
    for (let round = 0; round < 5; round++) expect(await once()).toBe("ok");
    expect(server.sockets).toHaveLength(1);
    expect(await Promise.all([once(), once(), once()])).toEqual(["ok", "ok", "ok"]);
    expect(server.sockets).toHaveLength(3);
  });

  it("connects again when the server closed an idle connection", async () => {
    const server = await http((_request, response) => answer(response, "ok"));
    for (let round = 0; round < 3; round++) {
      const response = await transport.request({ url: server.url, method: "POST", headers: {}, body: "x" });
      expect(await readAll(response.body)).toBe("ok");
      server.sockets.at(-1)?.destroy();
      await server.allClosed();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(server.sockets).toHaveLength(3);
  });

  it("keeps no connection once the transport is closed", async () => {
    const server = await http((_request, response) => {
      response.write("a");
      setTimeout(() => response.end("b"), 50);
    });
    const own = createTransport({ environment: {} });
    const response = await own.request({ url: server.url, method: "GET", headers: {} });
    await own.close();
    expect(await readAll(response.body)).toBe("ab");
    await within(server.allClosed(), "closing the socket", 1_000);
  });

  it("stops reading from the socket while nobody takes the bytes, and loses none", async () => {
    const total = 40 * 1024 * 1024;
    const server = await http((_request, response) => {
      response.end(Buffer.alloc(total, "a"));
    });
    const response = await transport.request({ url: server.url, method: "GET", headers: {} });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(server.sockets[0]?.writableLength).toBeGreaterThan(total / 2);
    let bytes = 0;
    for await (const chunk of response.body) bytes += chunk.length;
    expect(bytes).toBe(total);
  });

  it("refuses a second read while one waits", async () => {
    const server = await http((_request, response) => {
      response.writeHead(200).flushHeaders();
    });
    const response = await transport.request({ url: server.url, method: "GET", headers: {} });
    const body = response.body[Symbol.asyncIterator]();
    const first = body.next();
    await expect(body.next()).rejects.toMatchObject({ kind: "usage" });
    await body.return?.();
    expect(await first).toEqual({ done: true, value: undefined });
  });
});

describe("a failure", () => {
  it("of a port where nothing listens is kind network and says so", async () => {
    const server = await startHttpServer(() => undefined);
    await server.close();
    const failure = transport.request({ url: `${server.url}/v1/x?key=k3y`, method: "GET", headers: {} });
    await expect(failure).rejects.toMatchObject({
      kind: "network",
      message: `nothing listens at ${server.url}`,
      details: { url: server.url, code: "ECONNREFUSED" },
    });
  });

  it.each([
    { why: "before any byte", send: "", words: "closed the connection without an answer" },
    {
      why: "inside the headers",
      send: "HTTP/1.1 200 OK\r\ncontent-le",
      words: "closed the connection without an answer",
    },
    {
      why: "with words that are no HTTP",
      send: "220 mail.example ESMTP\r\n",
      words: "does not answer in HTTP",
    },
  ])("of a server that ends $why is kind network", async ({ send, words }) => {
    const server = await tcp((socket) => socket.once("data", () => socket.end(send)));
    const failure = transport.request({ url: server.url, method: "POST", headers: {}, body: "x" });
    await expect(failure).rejects.toMatchObject({ kind: "network", message: `${server.url} ${words}` });
  });

  it.each([
    { why: "a length that was promised", head: "content-length: 100", part: "half" },
    { why: "the last chunk", head: "transfer-encoding: chunked", part: "4\r\nhalf\r\n" },
  ])("of a body that ends before $why comes after the bytes that arrived", async ({ head, part }) => {
    const server = await tcp((socket) =>
      socket.once("data", () => socket.end(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n${part}`)),
    );
    const response = await transport.request({ url: server.url, method: "GET", headers: {} });
    const body = response.body[Symbol.asyncIterator]();
    expect(new TextDecoder().decode((await body.next()).value)).toBe("half");
    await expect(body.next()).rejects.toMatchObject({
      kind: "network",
      message: `${server.url} closed the connection before the response was complete`,
    });
  });

  it.each([
    { why: "no URL", url: "localhost", words: '"localhost" is not a URL' },
    { why: "another scheme", url: "ftp://models.example/x", words: "cannot reach ftp: addresses" },
    { why: "credentials inside", url: "http://me:pa55@models.example/", words: "holds credentials" },
    { why: "no URL, with credentials", url: "//me:pa55@models example/?key=pa55", words: "is not a URL" },
  ])("of an address with $why is kind usage and shows no secret", async ({ url, words }) => {
    const error = await transport
      .request({ url, method: "GET", headers: {} })
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ kind: "usage", message: expect.stringContaining(words) });
    expect(String(error)).not.toContain("pa55");
  });

  it("of a header that cannot be sent is kind usage and does not repeat its value", async () => {
    const server = await http((_request, response) => answer(response, "ok"));
    const headers = { authorization: "Bearer s3cret\nx" };
    const error = await transport
      .request({ url: server.url, method: "GET", headers })
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ kind: "usage", message: expect.stringContaining("authorization header") });
    expect(JSON.stringify(error) + String(error)).not.toContain("s3cret");
  });
});
