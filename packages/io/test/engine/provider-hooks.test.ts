import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { ResponseEvent } from "@ashlar/context";
import {
  type ClassifiedError,
  defineProvider,
  type ProviderClass,
  type ProviderInstance,
  type ProviderMetadata,
  type WireContext,
} from "@ashlar/context/provider";
import { connect, IO } from "@ashlar/io";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { LineProvider, line } from "./line-provider.js";
import { hello, run } from "./run-request.js";
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

const provider: ProviderMetadata = {
  label: "Hooked",
  capabilities: { streaming: true, thinking: [], tools: true },
  framing: "ndjson",
};

/** The line provider with other members. */
function hooked(members: (io: WireContext) => ProviderInstance): ProviderClass {
  return defineProvider(
    class Hooked extends LineProvider {
      static override readonly provider = provider;
      constructor(url: string, io: WireContext) {
        super(url, io);
        Object.assign(this, members(io));
      }
    },
  );
}

/** A provider without a network, whose frames are lists of events. */
function scripted(frames: readonly unknown[]): ProviderClass {
  return hooked(() => {
    const left = [...frames];
    return {
      context2msg: () => [{}, {}],
      send: async () => undefined,
      read: async () => left.shift() ?? null,
      // The frames are what a connector might make, right or wrong.
      msg2events: (frame) => (frame === null ? [] : (frame as ResponseEvent[])),
    };
  });
}

const ioOf = (Provider: ProviderClass, url = "http://127.0.0.1:9") =>
  new IO(connect(Provider, { url, model: "m" }));
const ok = line({ text: "a" }) + line({ done: "stop" });
const refuse = (status: number) => (answer: Answer) => {
  answer.head(status, { "x-quota": "7" });
  answer.end('{"error":"no"}');
};

describe("what a provider may refine", () => {
  it("the verdict on an error, from the shared one", async () => {
    const { url } = await serving(refuse(418));
    const seen: unknown[] = [];
    const Teapot = hooked(() => ({
      classifyError: (error, base): ClassifiedError => {
        seen.push(error);
        return { ...base(error), retryable: true, retryAfterMs: 5 };
      },
    }));
    expect((await run(ioOf(Teapot, url))).terminal).toMatchObject({
      status: 418,
      retryable: true,
      retryAfterMs: 5,
    });
    expect(seen).toEqual([
      expect.objectContaining({ status: 418, details: expect.objectContaining({ body: { error: "no" } }) }),
    ]);
  });

  it("the verdict on an error event of its own, too", async () => {
    const { url } = await serving((answer) => answer.end(line({ error: "busy", status: 529 })));
    const Sure = hooked(() => ({ classifyError: (error, base) => ({ ...base(error), retryable: false }) }));
    expect((await run(ioOf(Sure, url))).terminal).toMatchObject({
      error: "busy",
      status: 529,
      retryable: false,
    });
  });

  it("whether a budget is used up", async () => {
    const { url } = await serving(refuse(429));
    const Spent = hooked(() => ({ depletionError: () => true }));
    expect((await run(ioOf(Spent, url))).terminal).toMatchObject({ status: 429, retryable: false });
  });

  it("with a verdict of no known kind is not believed", async () => {
    const { url } = await serving(refuse(500));
    const Odd = hooked(() => ({ classifyError: () => ({ kind: "odd" as "provider", message: "x" }) }));
    expect((await run(ioOf(Odd, url))).terminal).toMatchObject({ kind: "provider", status: 500 });
  });

  it("not what was cancelled", async () => {
    const Stubborn = hooked(() => ({
      classifyError: () => ({ kind: "provider", message: "mine", retryable: true }),
    }));
    const { terminal } = await run(ioOf(Stubborn), { signal: AbortSignal.abort() });
    expect(terminal).toMatchObject({ kind: "cancelled", retryable: false });
  });

  it("with a mistake of its own, the shared verdict stands and the mistake is told", async () => {
    const { url } = await serving(refuse(500));
    const Broken = hooked(() => ({
      classifyError: () => {
        throw new Error("oops");
      },
    }));
    expect((await run(ioOf(Broken, url))).terminal).toMatchObject({
      status: 500,
      retryable: true,
      warnings: [expect.stringContaining("oops")],
    });
  });
});

describe("what a provider reports", () => {
  const Quota = hooked((io) => ({
    reportPlanUsage: (headers) => {
      if (headers["x-quota"] === undefined) throw new Error("no quota header");
      io.reportPlanUsage({ quotas: { requests: { remaining: Number(headers["x-quota"]) } } });
    },
  }));

  it.each([200, 429])("of its plan is read from the headers of an answer with status %i", async (status) => {
    const { url } = await serving((answer) => {
      answer.head(status, { "x-quota": "7" });
      answer.end(ok);
    });
    const io = ioOf(Quota, url);
    await run(io);
    expect(io.planUsage).toEqual({ quotas: { requests: { remaining: 7 } } });
  });

  it("with a mistake costs the quota and not the answer", async () => {
    const { url } = await serving((answer) => answer.end(ok));
    const { terminal } = await run(ioOf(Quota, url));
    expect(terminal).toMatchObject({ type: "done", warnings: [expect.stringContaining("no quota header")] });
  });

  it("of the window stands beside what was used", async () => {
    const { url } = await serving((answer) => answer.end(ok));
    const Window = hooked((io) => ({
      context2msg: () => {
        io.reportContextUsage({ total: 4096 });
        io.reportContextUsage({ used: 12 });
        return [{}, {}];
      },
    }));
    const io = ioOf(Window, url);
    await run(io);
    expect(io.contextUsage).toEqual({ used: 12, total: 4096 });
  });

  it("as a warning comes once with the terminal event", async () => {
    const { url } = await serving((answer) => answer.end(ok));
    const Warning = hooked((io) => ({
      reportPlanUsage: () => {
        io.warn("odd server");
        io.warn("odd server");
      },
    }));
    expect((await run(ioOf(Warning, url))).terminal.warnings).toEqual(["odd server"]);
  });

  it("once per session it finds again at the next request", async () => {
    const { url } = await serving((answer) => answer.end(ok));
    const seen: unknown[] = [];
    const Remembering = hooked(({ session }) => {
      seen.push(session.get("chosen"));
      session.set("chosen", 32_768);
      return {};
    });
    const io = ioOf(Remembering, url);
    await run(io);
    await run(io);
    expect(seen).toEqual([undefined, 32_768]);
  });
});

describe("what a provider does wrong", () => {
  it.each([
    {
      why: "in its constructor",
      members: () => {
        throw new Error("boom");
      },
    },
    {
      why: "in context2msg",
      members: () => ({
        context2msg: () => {
          throw new Error("boom");
        },
      }),
    },
    {
      why: "in send",
      members: () => ({
        send: () => {
          throw new Error("boom");
        },
      }),
    },
    {
      why: "in msg2events",
      members: () => ({
        msg2events: () => {
          throw new Error("boom");
        },
      }),
    },
    {
      why: "in read",
      members: () => ({
        send: async () => undefined,
        read: () => {
          throw new Error("boom");
        },
      }),
    },
  ])("$why ends the request as an error that is not tried again", async ({ members }) => {
    const { url } = await serving((answer) => answer.end(ok));
    const { terminal } = await run(ioOf(hooked(members), url));
    expect(terminal).toMatchObject({ type: "error", kind: "provider", error: "boom", retryable: false });
  });

  it("with a kind of its own keeps the kind", async () => {
    const Refusing = hooked(() => ({
      context2msg: () => {
        throw Object.assign(new Error("no audio here"), { kind: "malformed" });
      },
    }));
    expect((await run(ioOf(Refusing))).terminal).toMatchObject({ kind: "malformed", error: "no audio here" });
  });

  it("in close is told with the answer", async () => {
    const { url } = await serving((answer) => answer.end(ok));
    const Clumsy = hooked(() => ({ close: () => Promise.reject(new Error("still open")) }));
    const { terminal } = await run(ioOf(Clumsy, url));
    expect(terminal).toMatchObject({ type: "done", warnings: [expect.stringContaining("still open")] });
  });

  it("by returning no response without a read of its own is said so", async () => {
    const Mute = hooked(() => ({ send: async () => undefined }));
    expect((await run(ioOf(Mute))).terminal).toMatchObject({
      kind: "provider",
      error: expect.stringContaining("read"),
    });
  });

  it("leaves an executed call without a result, which gets an error result", async () => {
    const frames = [
      [{ type: "tool_call_start", contentIndex: 0, callId: "c", name: "search", executed: true }],
      [{ type: "error", error: "gone" }],
    ];
    const { terminal } = await run(ioOf(scripted(frames)));
    expect(terminal).toMatchObject({ type: "error", results: [{ callId: "c", error: true }] });
  });

  it("never makes two ends or an event after the end, whatever it sends", async () => {
    const index = fc.constantFrom(0, 1, -1, "0", null);
    const event = fc.oneof(
      fc.record({
        type: fc.constantFrom("text_start", "thinking_start", "text_end", "thinking_end", "nope"),
        contentIndex: index,
      }),
      fc.record({
        type: fc.constantFrom("text_delta", "thinking_delta"),
        contentIndex: index,
        text: fc.constantFrom("a", "", 1),
      }),
      fc.record({
        type: fc.constant("tool_call_start"),
        contentIndex: index,
        callId: fc.constant(""),
        name: fc.constantFrom("read", ""),
      }),
      fc.constantFrom(
        { type: "start", version: 1 },
        { type: "done" },
        { type: "error", error: "x" },
        null,
        7,
      ),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.array(event), fc.constant(7)), { maxLength: 6 }),
        async (frames) => {
          const { events, terminal } = await run(ioOf(scripted(frames)));
          const ends = events.filter(({ type }) => type === "done" || type === "error");
          expect(events.filter(({ type }) => type === "start")).toHaveLength(1);
          expect(ends).toEqual([terminal]);
          expect(events.at(-1)).toBe(terminal);
        },
      ),
    );
  });
});

describe("what a provider asks its host for", () => {
  it("by fetch ends with the request", async () => {
    let closed: Promise<void> | undefined;
    const { url } = await serving((answer) => {
      closed = answer.closed;
    });
    const Asking = hooked((io) => ({
      send: async () => {
        await io.fetch(`${url}/facts`);
        return undefined;
      },
    }));
    const controller = new AbortController();
    const result = ioOf(Asking, url).write(hello, () => undefined, { signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    expect(await result).toMatchObject({ kind: "cancelled" });
    await closed;
  });

  it("by fetch ends with a time limit of its own, also when memory was swept before", async () => {
    setFlagsFromString("--expose-gc");
    const sweep: () => void = runInNewContext("gc");
    const { url } = await serving(() => undefined);
    const Asking = hooked((io) => ({
      send: async () => {
        await io.fetch(`${url}/facts`, { signal: AbortSignal.timeout(200) });
        return undefined;
      },
    }));
    const sweeping = setInterval(sweep, 40);
    const terminal = await ioOf(Asking, url).write(hello, () => undefined);
    clearInterval(sweeping);
    expect(terminal).toMatchObject({ type: "error" });
  });
});
