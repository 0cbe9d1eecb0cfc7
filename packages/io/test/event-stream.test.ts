import { setTimeout as sleep } from "node:timers/promises";
import type { ResponseEvent } from "@ashlar/context";
import { afterEach, describe, expect, it } from "vitest";
import { line } from "./engine/line-provider.js";
import { hello, lineIO } from "./engine/run-request.js";
import { type Answer, type ScriptedServer, startServer } from "./engine/scripted-server.js";

let server: ScriptedServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function serving(script: (answer: Answer) => unknown): Promise<ScriptedServer> {
  server = await startServer(script);
  return server;
}

describe("a request as an iterable", () => {
  it("gives the same events as a sink gets", async () => {
    const { url } = await serving((answer) =>
      answer.end(line({ text: "a" }) + line({ text: "b" }) + line({ done: "stop" })),
    );
    const io = lineIO(url);
    const types: string[] = [];
    for await (const { type } of io.stream(hello)) types.push(type);
    expect(types).toEqual(["start", "text_start", "text_delta", "text_delta", "text_end", "done"]);
    expect(io.state).toBe("idle");
  });

  it("sends nothing until somebody reads", async () => {
    const { url, requests } = await serving((answer) =>
      answer.end(line({ text: "a" }) + line({ done: "stop" })),
    );
    const events = lineIO(url).stream(hello);
    await sleep(50);
    expect(requests).toEqual([]);
    expect((await events.next()).value).toMatchObject({ type: "start" });
    await events.return?.();
  });

  it("gives a failed request as its error event", async () => {
    const { url } = await serving((answer) => {
      answer.head(500, {});
      answer.end("no");
    });
    const events: ResponseEvent[] = [];
    for await (const event of lineIO(url).stream(hello)) events.push(event);
    expect(events.at(-1)).toMatchObject({ type: "error", kind: "provider", status: 500 });
  });

  it("rejects for a wrong use", async () => {
    const { url } = await serving(() => undefined);
    const io = lineIO(url);
    const first = io.stream(hello);
    await first.next();
    await expect(io.stream(hello).next()).rejects.toMatchObject({ kind: "usage" });
    await first.return?.();
  });

  it("cancels the request when the loop is left, and frees the IO", async () => {
    let closed: Promise<void> | undefined;
    const { url } = await serving(async (answer) => {
      closed = answer.closed;
      for (let event = 0; event < 1000; event++) await answer.write(line({ text: "a" }));
    });
    const io = lineIO(url);
    for await (const { type } of io.stream(hello)) if (type === "text_delta") break;
    expect(io.state).toBe("idle");
    await closed;
  });

  it("serves readers that ask at the same time in turn", async () => {
    const { url } = await serving((answer) => answer.end(line({ text: "a" }) + line({ done: "stop" })));
    const events = lineIO(url).stream(hello);
    const all = await Promise.all(Array.from({ length: 7 }, () => events.next()));
    expect(all.map(({ value }) => value?.type)).toEqual([
      "start",
      "text_start",
      "text_delta",
      "text_end",
      "done",
      undefined,
      undefined,
    ]);
  });

  it("ends a reader that waits when it is left from outside", async () => {
    const { url } = await serving(() => undefined);
    const events = lineIO(url).stream(hello);
    await events.next();
    const waiting = events.next();
    await events.return?.();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });

  it("ends with a cancelled event when the signal fires", async () => {
    const { url } = await serving(() => undefined);
    const controller = new AbortController();
    const types: string[] = [];
    for await (const event of lineIO(url).stream(hello, { signal: controller.signal })) {
      types.push(event.type === "error" ? `error ${event.kind}` : event.type);
      controller.abort();
    }
    expect(types).toEqual(["start", "error cancelled"]);
  });

  it("slows the server down to the pace of its reader, without an idle error", async () => {
    let written = 0;
    const piece = line({ text: "x".repeat(1000) }).repeat(10);
    const { url } = await serving(async (answer) => {
      for (; written < 3000; written++) {
        if (!(await writeWithRoom(answer, piece))) return;
      }
      answer.end(line({ done: "stop" }));
    });
    const io = lineIO(url, { timeouts: { idleMs: 300 } });
    let seen = 0;
    let last: ResponseEvent | undefined;
    for await (const event of io.stream(hello)) {
      last = event;
      if (event.type === "text_delta" && ++seen === 5) {
        await sleep(600);
        // 30 MB are to come; what may wait is far less.
        expect(written).toBeLessThan(2500);
      }
    }
    expect(last?.type).toBe("done");
    expect(seen).toBe(30_000);
  });
});

/** Resolves with false once the other side has gone. */
async function writeWithRoom(answer: Answer, piece: string): Promise<boolean> {
  return Promise.race([answer.write(piece).then(() => true), answer.closed.then(() => false)]);
}
