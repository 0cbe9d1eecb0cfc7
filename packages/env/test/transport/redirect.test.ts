import { createTransport, type Transport, type TransportRequest } from "@ashlar/env/transport";
import { afterEach, describe, expect, it } from "vitest";
import { answer, readAll, startHttpServer, type TestServer } from "./test-server.js";

const servers: TestServer[] = [];
const transport: Transport = createTransport({ environment: {} });

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** `/n` redirects to `/n-1`, down to `/0`; `/to?where` redirects there. */
async function start(): Promise<TestServer> {
  const server = await startHttpServer((request, response) => {
    const [path = "", query = ""] = (request.url ?? "").split("?");
    const left = Number(path.slice(1));
    if (path === "/to") response.writeHead(302, { location: decodeURIComponent(query) }).end("moved");
    else if (left > 0) response.writeHead(307, { location: `/${left - 1}` }).end();
    else answer(response, "arrived");
  });
  servers.push(server);
  return server;
}

function get(url: string, more: Partial<TransportRequest> = {}): Promise<string> {
  return transport.request({ url, method: "GET", headers: {}, ...more }).then(({ body }) => readAll(body));
}

describe("a redirect", () => {
  it("of a GET without credentials is followed, five times at most", async () => {
    const server = await start();
    expect(await get(`${server.url}/5`)).toBe("arrived");
    await expect(get(`${server.url}/6`)).rejects.toMatchObject({
      kind: "provider",
      message: expect.stringContaining("5 redirects were followed already"),
    });
  });

  it("may lead to another server", async () => {
    const [from, to] = [await start(), await start()];
    expect(await get(`${from.url}/to?${encodeURIComponent(`${to.url}/0`)}`)).toBe("arrived");
    expect(to.requests).toHaveLength(1);
  });

  it.each([
    "authorization",
    "Authorization",
    "x-api-key",
    "api-key",
    "x-goog-api-key",
    "cookie",
    "x-auth-token",
  ])("of a request with %s is refused, names where it leads and sends nothing there", async (name) => {
    const [from, to] = [await start(), await start()];
    const headers = { [name]: "s3cret" };
    const error = await get(`${from.url}/to?${encodeURIComponent(`${to.url}/x?y=s3cret`)}`, {
      headers,
    }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      kind: "provider",
      details: { status: 302 },
      message: `${from.url}/to answered 302, a redirect to ${to.url}; not followed, because the request carries credentials. Set the endpoint's url to its final address.`,
    });
    expect(JSON.stringify(error) + String(error)).not.toContain("s3cret");
    expect(to.requests).toHaveLength(0);
  });

  it("of a POST is refused", async () => {
    const server = await start();
    await expect(get(`${server.url}/1`, { method: "POST", body: "{}" })).rejects.toMatchObject({
      kind: "provider",
      message: expect.stringContaining("a POST is not sent twice"),
    });
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    { why: "another scheme", to: "https://models.example/", words: "it changes http: to https:" },
    { why: "a file", to: "file:///etc/passwd", words: "it changes http: to file:" },
    {
      why: "credentials in the address",
      to: "http://me:pa55@127.0.0.1/",
      words: "the address holds credentials",
    },
    { why: "no address", to: "http://", words: "the address is not a URL" },
  ])("to $why is refused", async ({ to, words }) => {
    const server = await start();
    await expect(get(`${server.url}/to?${encodeURIComponent(to)}`)).rejects.toMatchObject({
      kind: "provider",
      message: expect.stringContaining(words),
    });
  });

  it("without a location is the answer", async () => {
    const server = await startHttpServer((_request, response) => answer(response, "cached", 304));
    servers.push(server);
    const response = await transport.request({ url: server.url, method: "GET", headers: {} });
    expect(response.status).toBe(304);
  });
});
