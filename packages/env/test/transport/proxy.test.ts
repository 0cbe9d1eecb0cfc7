import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect, type Socket } from "node:net";
import { createTransport, type Transport } from "@ashlar/env/transport";
import { afterEach, describe, expect, it, vi } from "vitest";
import { answer, readAll, started, startHttpServer, type TestServer, within } from "./test-server.js";

interface TestProxy extends TestServer {
  /** Request lines with the proxy's own authorization. */
  readonly seen: string[];
}

const servers: TestServer[] = [];
const transports: Transport[] = [];

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const transport of transports.splice(0)) await transport.close();
  for (const server of servers.splice(0)) await server.close();
});

function transportWith(environment: Record<string, string>): Transport {
  const transport = createTransport({ environment });
  transports.push(transport);
  return transport;
}

/** Forwards whole URLs itself, and opens every tunnel to `tunnelPort`. Wants `authorization` when given. */
async function startProxy(
  options: { tunnelPort?: number; authorization?: string; silent?: boolean } = {},
): Promise<TestProxy> {
  const seen: string[] = [];
  const allowed = (own: string | undefined): boolean =>
    options.authorization === undefined || own === options.authorization;
  const proxy = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.host}`);
    request.resume();
    if (allowed(request.headers["proxy-authorization"])) answer(response, "forwarded");
    else answer(response, "who are you", 407);
  });
  proxy.on("connect", (request, socket: Socket) => {
    seen.push(`CONNECT ${request.url}`);
    if (options.silent) {
      socket.resume().on("end", () => socket.end());
      return;
    }
    if (!allowed(request.headers["proxy-authorization"])) {
      socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
      return;
    }
    const target = connect(options.tunnelPort ?? 0, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      socket.pipe(target).pipe(socket);
    });
    target.on("error", () => socket.destroy());
    socket.on("close", () => target.destroy());
  });
  const server = { ...(await started(proxy, [])), seen };
  servers.push(server);
  return server;
}

async function startTls(): Promise<TestServer> {
  const pem = readFileSync(new URL("../fixtures/models.example.pem", import.meta.url));
  const server = await started(
    createTlsServer({ key: pem, cert: pem }, (_request, response) => answer(response, "secure")),
    [],
  );
  servers.push(server);
  return server;
}

async function get(transport: Transport, url: string): Promise<string> {
  const response = await transport.request({ url, method: "GET", headers: {} });
  return readAll(response.body);
}

describe("a proxy from the environment", () => {
  it("gets the whole URL of an http request, with its own credentials", async () => {
    const proxy = await startProxy({ authorization: `Basic ${btoa("me:pa:55")}` });
    const transport = transportWith({ HTTP_PROXY: `http://me:pa%3A55@127.0.0.1:${proxy.port}` });
    expect(await get(transport, "http://models.example/v1/models?x=1")).toBe("forwarded");
    expect(proxy.seen).toEqual(["GET http://models.example/v1/models?x=1 models.example"]);
  });

  it("opens a tunnel for an https request", async () => {
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    const target = await startTls();
    const proxy = await startProxy({ tunnelPort: target.port, authorization: `Basic ${btoa("me:pa55")}` });
    const transport = transportWith({ https_proxy: `me:pa55@127.0.0.1:${proxy.port}` });
    expect(await get(transport, "https://models.example/v1/models")).toBe("secure");
    expect(await get(transport, "https://models.example/v1/models")).toBe("secure");
    expect(proxy.seen).toEqual(["CONNECT models.example:443"]);
  });

  it("does not make an untrusted certificate trusted", async () => {
    const target = await startTls();
    const proxy = await startProxy({ tunnelPort: target.port });
    const transport = transportWith({ https_proxy: proxy.url });
    await expect(get(transport, "https://models.example:8443/")).rejects.toMatchObject({
      kind: "network",
      message: expect.stringContaining("no secure connection to https://models.example:8443"),
      details: { code: "DEPTH_ZERO_SELF_SIGNED_CERT" },
    });
    expect(proxy.seen).toEqual(["CONNECT models.example:8443"]);
  });

  it.each(["http://models.example/", "https://models.example/"])(
    "that wants credentials fails %s with kind network, says what is missing and shows none",
    async (url) => {
      const proxy = await startProxy({ authorization: "Basic other" });
      const address = `http://me:pa55@127.0.0.1:${proxy.port}`;
      const transport = transportWith({ HTTP_PROXY: address, HTTPS_PROXY: address });
      const error = await get(transport, url).catch((reason: unknown) => reason);
      expect(error).toMatchObject({
        kind: "network",
        message: expect.stringContaining(`${proxy.url} answered 407`),
      });
      expect(JSON.stringify(error) + String(error)).not.toContain("pa55");
    },
  );

  it("where nothing listens is named", async () => {
    const proxy = await startHttpServer(() => undefined);
    await proxy.close();
    const transport = transportWith({ HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url });
    for (const scheme of ["http", "https"]) {
      await expect(get(transport, `${scheme}://models.example/`)).rejects.toMatchObject({
        kind: "network",
        message: `nothing listens at ${proxy.url} (through the proxy ${proxy.url})`,
      });
    }
  });

  it("that is silent falls under the time limit of connecting, and an abort closes its socket", async () => {
    const proxy = await startProxy({ silent: true });
    const transport = transportWith({ HTTPS_PROXY: proxy.url });
    const url = "https://models.example/";
    await expect(
      transport.request({ url, method: "GET", headers: {}, connectTimeoutMs: 60 }),
    ).rejects.toMatchObject({ kind: "network", details: { code: "ETIMEDOUT" } });
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 60);
    await expect(
      transport.request({ url, method: "GET", headers: {}, signal: abort.signal }),
    ).rejects.toMatchObject({ kind: "cancelled" });
    await within(proxy.allClosed(), "closing the sockets to the proxy");
    expect(proxy.sockets).toHaveLength(2);
  });

  it("is never used for this machine", async () => {
    const proxy = await startProxy();
    const server = await startHttpServer((_request, response) => answer(response, "direct"));
    servers.push(server);
    const transport = transportWith({ HTTP_PROXY: proxy.url, http_proxy: proxy.url });
    for (const host of ["127.0.0.1", "localhost", "127.0.0.1.", "0.0.0.0", "[::ffff:127.0.0.1]"]) {
      const answered = await get(transport, `http://${host}:${server.port}/`).catch(
        (error: Error) => error.message,
      );
      // Some machines have no IPv6; what counts is that the proxy was not asked.
      expect(answered, host).toMatch(/^direct$|nothing listens|cannot be re/);
    }
    expect(proxy.seen).toEqual([]);
  });
});
