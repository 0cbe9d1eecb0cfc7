import { createTransport } from "@ashlar/env/transport";
import { afterEach, describe, expect, it } from "vitest";
import { answer, startHttpServer, type TestServer, within } from "./test-server.js";

const servers: TestServer[] = [];
const transport = createTransport({ environment: {}, maxBodyBytes: 1000 });

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function http(...args: Parameters<typeof startHttpServer>): Promise<TestServer> {
  const server = await startHttpServer(...args);
  servers.push(server);
  return server;
}

describe("the fetch of the transport", () => {
  it("gives status, headers, text and JSON of a GET by default", async () => {
    const server = await http((request, response) => {
      response
        .writeHead(200, { "Content-Type": "application/json" })
        .end(JSON.stringify({ method: request.method }));
    });
    const response = await transport.fetch(server.url);
    expect(response).toMatchObject({ ok: true, status: 200 });
    expect(response.headers.get("Content-TYPE")).toBe("application/json");
    expect(response.headers.get("x-none")).toBeNull();
    expect(await response.json()).toEqual({ method: "GET" });
    expect(await response.text()).toBe('{"method":"GET"}');
  });

  it("sends method, headers and body", async () => {
    const server = await http((request, response) => {
      let body = "";
      request.on("data", (chunk) => (body += chunk));
      request.on("end", () => answer(response, `${request.method} ${request.headers["x-a"]} ${body}`, 201));
    });
    const response = await transport.fetch(server.url, {
      method: "post",
      headers: { "x-a": "1" },
      body: "é",
    });
    expect(await response.text()).toBe("POST 1 é");
  });

  it("answers a failed status like any other, and says what stood in place of JSON", async () => {
    const server = await http((_request, response) =>
      answer(response, "<!doctype html><title>Not here</title>", 404),
    );
    const response = await transport.fetch(`${server.url}/v1/models?key=s3cret`);
    expect(response).toMatchObject({ ok: false, status: 404 });
    await expect(response.json()).rejects.toMatchObject({
      kind: "provider",
      message: `${server.url}/v1/models answered 404 with something other than JSON, beginning "<!doctype html><title>Not here</title>"`,
    });
  });

  it("stops at the size limit and closes the socket", async () => {
    const server = await http((_request, response) => {
      response.write("x".repeat(1001));
    });
    await expect(transport.fetch(server.url)).rejects.toMatchObject({
      kind: "provider",
      message: `${server.url}/ answered with more than 1000 bytes`,
    });
    await within(server.allClosed(), "closing the socket");
  });

  it("can be cancelled while the body comes", async () => {
    const server = await http((_request, response) => {
      response.write("half");
    });
    const failure = transport.fetch(server.url, { signal: AbortSignal.timeout(80) });
    await expect(failure).rejects.toMatchObject({ kind: "cancelled" });
    await within(server.allClosed(), "closing the socket");
  });
});
