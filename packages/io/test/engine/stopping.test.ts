import { setTimeout as sleep } from "node:timers/promises";
import { AshlarError } from "@ashlar/context";
import { defineProvider } from "@ashlar/context/provider";
import { connect, IO } from "@ashlar/io";
import { afterEach, describe, expect, it } from "vitest";
import { line } from "./line-provider.js";
import { hello, lineIO, messageText, run } from "./run-request.js";
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

/** A server that stands still at a given point of the answer. */
const PHASES: Readonly<Record<string, (answer: Answer) => unknown>> = {
  "before the head": () => undefined,
  "after the head": (answer) => answer.head(200, {}),
  "after the first event": (answer) => answer.write(line({ text: "a" })),
  "inside a line": (answer) => answer.write(`${line({ text: "a" })}{"text":`),
  "while events pour in": async (answer) => {
    for (let piece = 0; piece < 5000; piece++) await answer.write(line({ text: "ab" }).repeat(50));
  },
  "inside the body of an error": async (answer) => {
    answer.head(500, {});
    await answer.write("half of ");
  },
};

async function untilNoSocket({ openSockets }: ScriptedServer): Promise<void> {
  for (let round = 0; round < 100 && openSockets() > 0; round++) await sleep(10);
  expect(openSockets()).toBe(0);
}

const never = (): Promise<undefined> => new Promise(() => undefined);

describe("cancelling a request", () => {
  it.each(Object.keys(PHASES))("%s ends it as cancelled and closes its socket", async (phase) => {
    const running = await serving(PHASES[phase] ?? (() => undefined));
    const io = lineIO(running.url);
    const controller = new AbortController();
    const result = run(io, { signal: controller.signal });
    await sleep(60);
    controller.abort();
    const { terminal, events } = await result;
    expect(terminal).toMatchObject({
      type: "error",
      error: "cancelled",
      kind: "cancelled",
      cancelled: true,
      retryable: false,
      message: { incomplete: true },
    });
    expect(terminal.message).not.toHaveProperty("error");
    expect(events.at(-1)).toBe(terminal);
    expect(io.state).toBe("idle");
    await untilNoSocket(running);
  });

  it("before it begins sends nothing", async () => {
    const { url, requests } = await serving(() => undefined);
    const { terminal, events } = await run(lineIO(url), { signal: AbortSignal.abort() });
    expect(events.map(({ type }) => type)).toEqual(["start", "error"]);
    expect(terminal).toMatchObject({ kind: "cancelled" });
    expect(requests).toEqual([]);
  });

  it("lets no further event through, not even of the chunk in hand", async () => {
    const { url } = await serving((answer) => answer.write(line({ text: "a" }).repeat(100)));
    const controller = new AbortController();
    const deltas: string[] = [];
    const terminal = await lineIO(url).write(
      hello,
      (event) => {
        if (event.type !== "text_delta") return;
        deltas.push(event.text);
        if (deltas.length === 3) controller.abort();
      },
      { signal: controller.signal },
    );
    expect(deltas).toHaveLength(3);
    expect(terminal).toMatchObject({ kind: "cancelled" });
    expect(messageText(terminal)).toBe("aaa");
  });

  it("leaves no listener on a signal that lives on", async () => {
    const { url } = await serving((answer) => answer.end(line({ text: "a" }) + line({ done: "stop" })));
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    Object.assign(signal, {
      addEventListener: (...input: Parameters<typeof add>) => {
        listeners++;
        add(...input);
      },
      removeEventListener: (...input: Parameters<typeof remove>) => {
        listeners--;
        remove(...input);
      },
    });
    const io = lineIO(url);
    for (let round = 0; round < 3; round++) await run(io, { signal });
    expect(listeners).toBe(0);
  });

  it("a hundred times, at any moment, never hangs", async () => {
    const scripts = Object.values(PHASES);
    const running = await serving((answer) =>
      scripts[Number(answer.request.body.length) % scripts.length]?.(answer),
    );
    for (let round = 0; round < 100; round++) {
      const controller = new AbortController();
      const io = lineIO(running.url, {}, { settings: { pad: "x".repeat(round) } });
      const result = run(io, { signal: controller.signal });
      await sleep(round % 10);
      controller.abort();
      expect((await result).terminal).toMatchObject({
        type: "error",
        kind: expect.stringMatching(/cancelled|network|provider/),
      });
    }
    await untilNoSocket(running);
  });

  it.each([
    { why: "a send that never settles", member: { send: never } },
    { why: "a read that never settles", member: { send: async () => undefined, read: never } },
    {
      why: "a body whose end never settles",
      member: {
        send: async () => ({
          status: 200,
          headers: {},
          body: {
            [Symbol.asyncIterator]: () => ({
              next: () => new Promise<never>(() => undefined),
              return: () => new Promise<never>(() => undefined),
            }),
          },
        }),
      },
    },
    {
      why: "a close that never settles",
      member: { send: never, close: never },
    },
  ])("is not held up by a provider with $why", async ({ member }) => {
    class Stubborn {
      static readonly contract = 1;
      static readonly provider = {
        label: "Stubborn",
        capabilities: { streaming: true, thinking: [], tools: false },
      };
      constructor() {
        Object.assign(this, member);
      }
    }
    const io = new IO(connect(defineProvider(Stubborn), { url: "http://127.0.0.1:9", model: "m" }));
    const controller = new AbortController();
    const result = run(io, { signal: controller.signal });
    await sleep(20);
    controller.abort();
    expect((await result).terminal).toMatchObject({ kind: "cancelled" });
    expect(io.state).toBe("idle");
  });
});

describe("silence", () => {
  const limits = { timeouts: { idleMs: 200 } };

  it.each([
    { why: "a server that never sends its head", script: () => undefined, limit: "firstEventTimeout" },
    {
      why: "a head and then nothing",
      script: (answer: Answer) => answer.head(200, {}),
      limit: "firstEventTimeout",
    },
    {
      why: "one event and then keep-alives for ever",
      script: async (answer: Answer) => {
        await answer.write(line({ text: "a" }));
        for (let beat = 0; beat < 100; beat++) {
          await answer.pause(20);
          await answer.write("\n{}\n");
        }
      },
      limit: "stuckTimeout",
    },
    {
      why: "one event and then empty ones for ever",
      script: async (answer: Answer) => {
        await answer.write(line({ text: "a" }));
        for (let beat = 0; beat < 100; beat++) {
          await answer.pause(20);
          await answer.write(line({ text: "" }));
        }
      },
      limit: "stuckTimeout",
    },
  ])("of $why ends the request and closes the socket", async ({ script, limit }) => {
    const running = await serving(script);
    const { terminal } = await run(lineIO(running.url, limits));
    expect(terminal).toMatchObject({ type: "error", kind: "network", retryable: true });
    expect(terminal).toMatchObject({ error: expect.stringMatching(/no data.*200 ms/) });
    expect(terminal).toMatchObject({ error: expect.stringContaining(`"${limit}"`) });
    // Silence after the model began is told apart from silence from the start.
    expect("idle" in terminal).toBe(limit === "stuckTimeout");
    await untilNoSocket(running);
  });

  it("that is shorter than the limit is none", async () => {
    const { url } = await serving(async (answer) => {
      await answer.pause(300);
      await answer.write(line({ text: "a" }));
      await answer.pause(300);
      answer.end(line({ done: "stop" }));
    });
    expect((await run(lineIO(url, { timeouts: { idleMs: 2000 } }))).terminal.type).toBe("done");
  });

  it("before the first event may last longer than between two", async () => {
    const { url } = await serving(async (answer) => {
      await answer.pause(400);
      answer.end(line({ text: "a" }) + line({ done: "stop" }));
    });
    const timeouts = { idleMs: 100, firstEventMs: 5000 };
    expect((await run(lineIO(url, { timeouts }))).terminal.type).toBe("done");
  });

  it("while the provider runs a call of its own is no failure", async () => {
    const { url } = await serving(async (answer) => {
      await answer.write(
        line({
          events: [{ type: "tool_call_start", contentIndex: 0, callId: "c", name: "search", executed: true }],
        }),
      );
      await answer.pause(500);
      answer.end(
        line({ events: [{ type: "tool_call_result", contentIndex: 0, content: [] }, { type: "done" }] }),
      );
    });
    expect((await run(lineIO(url, limits))).terminal.type).toBe("done");
  });

  it("of a trickle without end meets the overall limit", async () => {
    const { url } = await serving(async (answer) => {
      for (let event = 0; event < 200; event++) {
        await answer.write(line({ text: "a" }));
        await answer.pause(20);
      }
    });
    const { terminal } = await run(lineIO(url, { timeouts: { overallMs: 300 } }));
    expect(terminal).toMatchObject({ kind: "network", error: expect.stringContaining('"timeout"') });
  });

  it("of a host that does not answer a connection meets the connect limit", async () => {
    const transport = {
      request: ({ connectTimeoutMs = 0 }: { connectTimeoutMs?: number }) =>
        sleep(connectTimeoutMs).then(() => {
          throw new AshlarError("network", "no connection", { code: "ETIMEDOUT" });
        }),
      fetch: () => Promise.reject(new Error("unused")),
      close: async () => undefined,
    };
    const { terminal } = await run(
      lineIO("http://127.0.0.1:9", { timeouts: { connectMs: 50 } }, { transport }),
    );
    expect(terminal).toMatchObject({
      kind: "network",
      error: expect.stringMatching(/50 ms.*"connectTimeout"/),
    });
  });

  it("can be bounded by a setting, which the error names", async () => {
    const { url } = await serving(() => undefined);
    const { terminal } = await run(lineIO(url, {}, { settings: { firstEventTimeout: 100 } }));
    expect(terminal).toMatchObject({ error: expect.stringMatching(/100 ms.*"firstEventTimeout"/) });
  });
});
