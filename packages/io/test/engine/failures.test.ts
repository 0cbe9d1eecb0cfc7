import type { AuthRecord } from "@ashlar/context/provider";
import { connect, IO } from "@ashlar/io";
import { afterEach, describe, expect, it } from "vitest";
import { ManualClock } from "../manual-clock.js";
import { LineProvider, line } from "./line-provider.js";
import { lineIO, run } from "./run-request.js";
import { type Answer, type ScriptedServer, startServer } from "./scripted-server.js";

let server: ScriptedServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function serving(script: (answer: Answer) => unknown): Promise<ScriptedServer> {
  server = await startServer(script);
  return server;
}

const refusing = (status: number, body: string, headers: Readonly<Record<string, string>> = {}) =>
  serving((answer) => {
    answer.head(status, { "content-type": "application/json", ...headers });
    answer.end(body);
  });
const TOKEN = "sk-very-secret-token-0123456789";

describe("an answer that is no success", () => {
  it.each([
    { status: 400, kind: "provider", retryable: false },
    { status: 401, kind: "auth", retryable: false },
    { status: 403, kind: "auth", retryable: false },
    { status: 404, kind: "provider", retryable: false },
    { status: 408, kind: "provider", retryable: true },
    { status: 429, kind: "provider", retryable: true },
    { status: 500, kind: "provider", retryable: true },
    { status: 503, kind: "provider", retryable: true },
  ])("is a $kind error for status $status, after one request", async ({ status, kind, retryable }) => {
    const { url, requests } = await refusing(status, '{"error":{"message":"because"}}');
    const { terminal, events } = await run(lineIO(url));
    expect(terminal).toMatchObject({
      type: "error",
      kind,
      status,
      retryable,
      error: expect.stringContaining("because"),
    });
    expect(terminal).not.toHaveProperty("usage");
    expect(events.map(({ type }) => type)).toEqual(["start", "error"]);
    expect(requests).toHaveLength(1);
  });

  it("says for 404 what was asked for and what to look at", async () => {
    const { url } = await refusing(404, '{"error":"model \\"m\\" not found"}');
    const { terminal } = await run(lineIO(url));
    expect(terminal).toMatchObject({ error: expect.stringContaining(`POST ${url}/lines`) });
    expect(terminal).toMatchObject({ error: expect.stringMatching(/e\/m.*model's name.*url/) });
  });

  it("shows no more of an HTML page than its title", async () => {
    const page = `<html><title>502 Bad Gateway</title><body>${"x".repeat(9000)}</body></html>`;
    const { url } = await refusing(502, page, { "content-type": "text/html" });
    const { terminal } = await run(lineIO(url));
    expect(terminal).toMatchObject({ error: expect.stringContaining('"502 Bad Gateway"') });
    expect(JSON.stringify(terminal)).not.toContain("xxx");
  });

  it("reads no more of a body without end than it needs, and closes it", async () => {
    let closed: Promise<void> | undefined;
    const { url } = await serving(async (answer) => {
      closed = answer.closed;
      answer.head(500, { "content-type": "text/plain" });
      for (let piece = 0; piece < 200; piece++) await answer.write("y".repeat(65_536));
    });
    const { terminal } = await run(lineIO(url));
    expect(terminal).toMatchObject({ status: 500 });
    expect(JSON.stringify(terminal).length).toBeLessThan(3000);
    await closed;
  });

  it("keeps the status when the body breaks off", async () => {
    const { url } = await serving(async (answer) => {
      answer.head(429, { "retry-after": "1", "content-length": "1000" });
      await answer.write('{"error":"slow');
      await answer.pause();
      answer.reset();
    });
    expect((await run(lineIO(url))).terminal).toMatchObject({ status: 429, retryAfterMs: 1000 });
  });

  it("waits for a body that hangs only a moment, and closes it", async () => {
    let closed: Promise<void> | undefined;
    const { url } = await serving(async (answer) => {
      closed = answer.closed;
      answer.head(503, {});
      await answer.write("half of it");
    });
    const clock = new ManualClock();
    const result = run(lineIO(url, { clock }));
    while (clock.pending < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 50));
    clock.advance(5000);
    expect((await result).terminal).toMatchObject({
      status: 503,
      error: expect.stringContaining("half of it"),
    });
    await closed;
  });

  it("bounds what an error says", async () => {
    const { url } = await serving((answer) => answer.end(line({ error: "x".repeat(100_000) })));
    const { terminal } = await run(lineIO(url));
    expect(JSON.stringify(terminal).length).toBeLessThan(10_000);
  });

  it("says so when a success is a page of HTML", async () => {
    const { url } = await serving((answer) => {
      answer.head(200, { "content-type": "text/html; charset=utf-8" });
      answer.end("<html><title>Sign in</title></html>");
    });
    const { terminal } = await run(lineIO(url));
    expect(terminal).toMatchObject({
      kind: "provider",
      retryable: false,
      error: expect.stringMatching(/"Sign in".*url/),
    });
  });

  it.each([
    { why: "seconds", headers: { "retry-after": "2" }, retryAfterMs: 2000 },
    { why: "an epoch value", headers: { "retry-after": "1893456000" }, retryAfterMs: 2_147_483_647 },
    { why: "milliseconds", headers: { "retry-after-ms": "40" }, retryAfterMs: 40 },
  ])("carries the wait that the server asks for in $why", async ({ headers, retryAfterMs }) => {
    const { url } = await refusing(429, '{"error":"slow down"}', headers);
    expect((await run(lineIO(url))).terminal).toMatchObject({ status: 429, retryAfterMs, retryable: true });
  });

  it.each(["-5", "soon", ""])("carries no wait for a Retry-After of %j", async (value) => {
    const { url } = await refusing(429, '{"error":"slow down"}', { "retry-after": value });
    expect((await run(lineIO(url))).terminal).not.toHaveProperty("retryAfterMs");
  });

  it("does not wait for a quota that is used up", async () => {
    const { url } = await refusing(
      429,
      '{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}',
    );
    expect((await run(lineIO(url))).terminal).toMatchObject({ status: 429, retryable: false });
  });

  it("names both numbers of a context that did not fit", async () => {
    const { url } = await refusing(400, '{"error":"prompt is too long: 9001 tokens > 8192 maximum"}');
    expect((await run(lineIO(url))).terminal).toMatchObject({
      kind: "provider",
      contextOverflow: { window: 8192, needed: 9001 },
      retryable: false,
    });
  });
});

describe("a server that cannot be reached", () => {
  it("is a network error that names the address", async () => {
    const { url, close } = await startServer(() => undefined);
    await close();
    const { terminal } = await run(lineIO(url));
    expect(terminal).toMatchObject({ kind: "network", retryable: true, error: expect.stringContaining(url) });
  });

  it("is a network error when it closes without an answer", async () => {
    const { url } = await serving((answer) => answer.reset());
    expect((await run(lineIO(url))).terminal).toMatchObject({ kind: "network", retryable: true });
  });
});

describe("credentials", () => {
  it.each([
    {
      why: "an error body that repeats them",
      status: 401,
      body: `{"error":{"message":"Incorrect key: ${TOKEN}"}}`,
    },
    { why: "a text body that repeats them", status: 500, body: `token ${TOKEN}` },
    { why: "an error inside the stream", status: 200, body: line({ error: `bad ${TOKEN}` }) },
    { why: "a line that is not JSON", status: 200, body: `{${TOKEN}\n` },
  ])("never show in $why", async ({ status, body }) => {
    const { url } = await serving((answer) => {
      answer.head(status, {});
      answer.end(body);
    });
    const { terminal, events } = await run(lineIO(url, {}, { auth: TOKEN }));
    expect(terminal.type).toBe("error");
    expect(JSON.stringify(events)).not.toContain(TOKEN);
  });

  const answeringFor = (good: string) =>
    serving((answer) => {
      const known = answer.request.headers.authorization === `Bearer ${good}`;
      answer.head(known ? 200 : 401, {});
      answer.end(known ? line({ text: "a" }) + line({ done: "stop" }) : '{"error":"no"}');
    });
  const stored = (url: string, before: string, after: string) => {
    let auth: AuthRecord = { type: "api_key", token: before };
    let reloads = 0;
    const connection = connect(LineProvider, { url, model: "m" });
    const authReload = async () => {
      reloads++;
      const changed = auth.token !== after;
      auth = { type: "api_key", token: after };
      return changed;
    };
    return { io: new IO({ ...connection, auth: () => auth, authReload }), reloads: () => reloads };
  };

  it("that were refused are tried again once when the stored ones have changed", async () => {
    const { url, requests } = await answeringFor("new-token");
    const { io } = stored(url, "old-token", "new-token");
    const { terminal, events } = await run(io);
    expect(terminal.type).toBe("done");
    expect(events.filter(({ type }) => type === "start")).toHaveLength(1);
    expect(requests).toHaveLength(2);
  });

  it("that were refused are not tried again when the stored ones are the same", async () => {
    const { url, requests } = await answeringFor("other-token");
    const { io, reloads } = stored(url, "old-token", "old-token");
    expect((await run(io)).terminal).toMatchObject({ kind: "auth" });
    expect(requests).toHaveLength(1);
    expect(reloads()).toBe(1);
  });

  it("that are refused twice are refused", async () => {
    const { url, requests } = await answeringFor("other-token");
    const { io } = stored(url, "old-token", "new-token");
    expect((await run(io)).terminal).toMatchObject({ kind: "auth" });
    expect(requests).toHaveLength(2);
  });

  it("that cannot be read again leave the refusal as it is, and say so", async () => {
    const { url } = await answeringFor("new-token");
    const connection = {
      ...connect(LineProvider, { url, model: "m" }),
      authReload: () => Promise.reject(new Error("locked")),
    };
    const { terminal } = await run(new IO(connection));
    expect(terminal).toMatchObject({ kind: "auth", warnings: [expect.stringContaining("locked")] });
  });
});
