import { setTimeout as sleep } from "node:timers/promises";
import { Agent } from "@ashlar/agent";
import { MessageType, requestView } from "@ashlar/context";
import { describe, expect, it } from "vitest";
import { ask, openAgent } from "./support/open-agent.js";
import { calls, failure, scripted, text } from "./support/scripted-stream.js";

const hang = () => new Promise<string>(() => {});
const tools = (fn: (...args: never[]) => unknown) => ({
  work: { description: "Works.", safe: true, inputSchema: { type: "object" }, fn: fn as () => string },
});
const cancelled = { status: "cancelled", kind: "cancelled", exitCode: 130 };

describe("a cancel", () => {
  it("gives every call its one result, run or not", async () => {
    let started = 0;
    const { stream } = scripted(calls(Array.from({ length: 6 }, () => ({ name: "work" }))));
    const { agent, events } = await openAgent({
      stream,
      toolDescriptions: tools(() => {
        started += 1;
        return hang();
      }),
    });
    agent.send("go");
    const running = agent.run();
    while (started < 3) await sleep(1);
    agent.cancel();
    expect(await running).toMatchObject(cancelled);
    expect(started).toBe(3);
    const results = agent.context.messages().filter(({ type }) => type === MessageType.toolResult);
    expect(results).toHaveLength(6);
    expect(results.every(({ error }) => error === true)).toBe(true);
    expect(events.filter(({ type }) => type === "tool_result")).toHaveLength(6);
    // Nothing has to be mended for the next request.
    expect(requestView(agent.context.items())).toHaveLength(agent.context.length);
  });

  it("reaches the tool", async () => {
    let reason: unknown;
    const { agent } = await openAgent({
      stream: scripted(calls([{ name: "work" }])).stream,
      toolDescriptions: tools((_args: never, { signal }: { signal: AbortSignal }) => {
        signal.addEventListener("abort", () => {
          reason = signal.reason;
        });
        setTimeout(() => agent.cancel(), 5);
        return hang();
      }),
    });
    await ask(agent);
    expect(reason).toMatchObject({ name: "AbortError" });
  });

  it("ends a stream that does not listen", async () => {
    const { agent } = await openAgent({
      stream: async (_context, sink) => {
        sink({ type: "text_delta", contentIndex: 0, text: "half" });
        await hang();
        return { type: "done" };
      },
    });
    agent.onEvent(Agent.EVENT.TEXT_DELTA, () => setTimeout(() => agent.cancel(), 1));
    const began = Date.now();
    expect(await ask(agent)).toMatchObject(cancelled);
    expect(Date.now() - began).toBeLessThan(500);
    expect(agent.context.at(-1)).toMatchObject({ content: [{ text: "half" }], incomplete: true });
  });

  it("ends the wait before the next attempt", async () => {
    const { agent } = await openAgent({
      stream: scripted(failure()).stream,
      envSettings: { retry: { base: "1m", max: "2m" } },
    });
    agent.onEvent(Agent.EVENT.RETRY, () => setTimeout(() => agent.cancel(), 5));
    expect(await ask(agent)).toMatchObject({ ...cancelled, requests: 1 });
    expect(agent.context.length).toBe(1);
  });

  it("from a signal works before the run and within it", async () => {
    const { agent } = await openAgent({ stream: scripted(text("never")).stream });
    agent.send("go");
    const early = AbortSignal.abort();
    expect(await agent.run({ signal: early })).toMatchObject({ ...cancelled, requests: 0 });
    const abort = new AbortController();
    agent.onEvent(Agent.EVENT.REQUEST_START, () => abort.abort());
    expect(await agent.run({ signal: abort.signal })).toMatchObject(cancelled);
  });

  it("of nothing is nothing", async () => {
    const { agent } = await openAgent({ stream: scripted(text("ok")).stream });
    agent.cancel();
    expect(await ask(agent)).toMatchObject({ kind: "success" });
    agent.cancel();
    expect(await ask(agent)).toMatchObject({ kind: "success" });
  });

  it("keeps what was queued for the next run", async () => {
    const { agent } = await openAgent({
      stream: scripted(calls([{ name: "work" }]), text("ok")).stream,
      toolDescriptions: tools(hang),
    });
    agent.onEvent(Agent.EVENT.TOOL_EXECUTE, () => {
      agent.send("and this");
      setTimeout(() => agent.cancel(), 1);
    });
    await ask(agent);
    expect(agent.pending).toBe(1);
    expect(await agent.run()).toMatchObject({ kind: "success" });
    expect(agent.pending).toBe(0);
  });
});

describe("closing", () => {
  it("lets the run end first, and refuses what is new", async () => {
    let release: (() => void) | undefined;
    const { stream } = scripted(calls([{ name: "work" }]), text("done"));
    const { agent } = await openAgent({
      stream,
      toolDescriptions: tools(
        () =>
          new Promise((resolve) => {
            release = () => resolve("worked");
          }),
      ),
    });
    agent.send("go");
    const running = agent.run();
    while (release === undefined) await sleep(1);
    const closing = agent.close();
    expect(agent.closed).toBe(true);
    expect(() => agent.send("more")).toThrow(expect.objectContaining({ kind: "closed" }));
    await expect(agent.run()).rejects.toMatchObject({ kind: "closed" });
    release();
    await closing;
    expect(await running).toMatchObject({ kind: "success", message: { content: [{ text: "done" }] } });
    await agent.close();
  });

  it("takes the agent out of its Env", async () => {
    const { agent, env } = await openAgent({ stream: scripted(text("ok")).stream });
    expect(env.agents()).toEqual([agent]);
    await agent.close();
    expect(env.agents()).toEqual([]);
  });
});

it("refuses a second run while one is under way", async () => {
  const { agent } = await openAgent({ stream: scripted(text("ok")).stream });
  agent.send("go");
  const running = agent.run();
  expect(agent.busy).toBe(true);
  await expect(agent.run()).rejects.toMatchObject({ kind: "busy" });
  expect(await running).toMatchObject({ kind: "success" });
  expect(agent.busy).toBe(false);
});
