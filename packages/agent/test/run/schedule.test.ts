import { setTimeout as sleep } from "node:timers/promises";
import { Agent } from "@ashlar/agent";
import { describe, expect, it, vi } from "vitest";
import { startTimer } from "../../src/long-timer.js";
import { safeTool } from "../support/call-tools.js";
import { openLab } from "../support/fake-models.js";
import { openTimers } from "../support/left-processes.js";
import { ask, openAgent } from "../support/open-agent.js";
import { failure, scripted, text } from "../support/scripted-stream.js";

const HOUR = 3_600_000;
const throttled = failure({ kind: "provider", status: 429, retryAfterMs: HOUR });

/** A clock that stands until it is moved. */
function stoppedClock() {
  let now = 1_700_000_000_000;
  const waits: { readonly at: number; readonly go: () => void }[] = [];
  const runtime = {
    now: () => now,
    random: () => 0,
    wait: (milliseconds: number, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        if (signal.aborted) return resolve();
        waits.push({ at: now + milliseconds, go: resolve });
        signal.addEventListener("abort", () => resolve(), { once: true });
      }),
  };
  const move = async (milliseconds: number): Promise<void> => {
    now += milliseconds;
    for (const { at, go } of waits) if (at <= now) go();
    await sleep(5);
  };
  return { runtime, move, now: () => now };
}

describe("a run that is to begin later", () => {
  it("waits for its time, and shows it", async () => {
    const { runtime, move, now } = stoppedClock();
    const { stream, requests } = scripted(text("ok"));
    const { agent } = await openAgent({ stream, runtime });
    agent.send("go");
    const running = agent.run({ after: "1h" });
    expect([agent.scheduledAt, agent.busy]).toEqual([now() + HOUR, false]);
    await move(HOUR - 1);
    expect(requests).toHaveLength(0);
    await move(1);
    expect(await running).toMatchObject({ kind: "success", requests: 1 });
    expect(agent.scheduledAt).toBeUndefined();
  });

  it("takes what was sent and chosen meanwhile", async () => {
    const { runtime, move } = stoppedClock();
    const { stream, requests } = scripted(text("ok"));
    const { agent } = await openAgent({ stream, runtime });
    const running = agent.run({ after: 1_000, thinking: "high" });
    agent.send("go");
    agent.model = "lab/other";
    await move(1_000);
    expect(await running).toMatchObject({ kind: "success" });
    expect(requests[0]?.options).toMatchObject({ model: "lab/other", thinking: "high" });
  });

  it.each([
    { why: "another run", end: async (agent: Agent) => void (await agent.run()) },
    { why: "another one that is scheduled", end: async (agent: Agent) => void agent.run({ after: 5_000 }) },
    { why: "a cancel", end: async (agent: Agent) => agent.cancel() },
    { why: "closing", end: async (agent: Agent) => agent.close() },
    { why: "the mark that closing is to come", end: async (agent: Agent) => agent.closeMark() },
  ])("does not begin after $why", async ({ end }) => {
    const { runtime, move } = stoppedClock();
    const { stream, requests } = scripted(text("ok"));
    const { agent, events } = await openAgent({ stream, runtime });
    agent.send("go");
    const running = agent.run({ after: 1_000 });
    await end(agent);
    expect(await running).toMatchObject({
      status: "cancelled",
      kind: "cancelled",
      exitCode: 130,
      requests: 0,
    });
    const before = requests.length;
    await move(1_000);
    expect(requests).toHaveLength(before);
    // No events tell of a run that never began.
    expect(events.filter(({ type }) => type === "result")).toHaveLength(before);
    agent.cancel();
  });

  it("does not begin once its signal fired, before or after it was scheduled", async () => {
    const { runtime } = stoppedClock();
    const { agent } = await openAgent({ stream: scripted(text("ok")).stream, runtime });
    expect(await agent.run({ after: 1_000, signal: AbortSignal.abort() })).toMatchObject({
      kind: "cancelled",
    });
    const abort = new AbortController();
    const running = agent.run({ after: 1_000, signal: abort.signal });
    abort.abort();
    expect(await running).toMatchObject({ kind: "cancelled" });
    expect(agent.scheduledAt).toBeUndefined();
  });

  it("never runs beside another run, however close the two begin", async () => {
    for (let ticks = 0; ticks < 12; ticks += 1) {
      const { runtime, move } = stoppedClock();
      let running = 0;
      let most = 0;
      const { agent, events } = await openAgent({
        runtime,
        stream: async (_context, sink) => {
          running += 1;
          most = Math.max(most, running);
          await sleep(2);
          running -= 1;
          sink({ type: "text_delta", contentIndex: 0, text: "ok" });
          return { type: "done" };
        },
      });
      agent.send("go");
      const scheduled = agent.run({ after: 1_000 });
      const moved = move(1_000);
      for (let tick = 0; tick < ticks; tick += 1) await undefined;
      const other = await agent.run().catch((error: { readonly kind: string }) => error);
      await moved;
      const kinds = [other.kind, (await scheduled).kind];
      // Either the new run took its place, or it came too late.
      expect([
        ["success", "cancelled"],
        ["busy", "success"],
      ]).toContainEqual(kinds);
      expect([most, events.filter(({ type }) => type === "result").length]).toEqual([1, 1]);
    }
  });

  it("waits for work by hand that is under way when its time comes", async () => {
    const { runtime, move } = stoppedClock();
    const { stream } = scripted(text("ok"));
    const { agent } = await openAgent({
      stream,
      runtime,
      toolDescriptions: { a: safeTool(() => "A") },
    });
    agent.send("go");
    const running = agent.run({ after: 1_000 });
    expect(await agent.toolCall("a")).toMatchObject({ content: [{ text: "A" }] });
    await move(1_000);
    expect(await running).toMatchObject({ kind: "success" });
  });

  it.each([
    { after: "soon", says: "after" },
    { after: -1, says: "after" },
    { after: Number.NaN, says: "after" },
    { after: Number.POSITIVE_INFINITY, says: "after" },
  ])("is refused for a time that is none: $after", async ({ after, says }) => {
    const { agent } = await openAgent({ stream: scripted(text("ok")).stream });
    await expect(agent.run({ after })).rejects.toMatchObject({
      kind: "settings",
      message: expect.stringContaining(says),
    });
  });
});

describe("a run that the provider put off", () => {
  it("says until when, for as long as that is to come", async () => {
    const { runtime, move, now } = stoppedClock();
    const { agent } = await openAgent({ stream: scripted(throttled, text("ok")).stream, runtime });
    const until = now() + HOUR;
    expect(await ask(agent)).toMatchObject({ kind: "provider", exitCode: 4, throttledUntil: until });
    expect([agent.throttledUntil, agent.scheduledAt]).toEqual([until, undefined]);
    await move(HOUR);
    expect(agent.throttledUntil).toBeUndefined();
  });

  it("goes on when it is asked to run as soon as it may", async () => {
    const { runtime, move } = stoppedClock();
    const { stream, requests } = scripted(throttled, text("ok"));
    const { agent } = await openAgent({ stream, runtime });
    await ask(agent);
    const running = agent.runWhenReady();
    expect(agent.scheduledAt).toBe(agent.throttledUntil);
    await move(HOUR);
    expect(await running).toMatchObject({ kind: "success" });
    expect(requests[1]?.context.map(({ type }) => type)).toEqual([2]);
    expect(await agent.runWhenReady()).toMatchObject({ kind: "success" });
  });

  it("goes on by itself when it was told to, again and again", async () => {
    const { runtime, move, now } = stoppedClock();
    const { stream, requests } = scripted(throttled, throttled, text("ok"));
    const { agent, events } = await openAgent({ stream, runtime, resume: true });
    expect(await ask(agent)).toMatchObject({ kind: "provider" });
    expect(agent.scheduledAt).toBe(now() + HOUR);
    await move(HOUR);
    expect([requests.length, agent.scheduledAt]).toEqual([2, now() + HOUR]);
    await move(HOUR);
    expect([requests.length, agent.scheduledAt]).toEqual([3, undefined]);
    expect(events.filter(({ type }) => type === "result")).toMatchObject([
      { kind: "provider" },
      { kind: "provider" },
      { kind: "success" },
    ]);
  });

  it("does not go on by itself after a new run, a cancel or closing", async () => {
    const { runtime, move } = stoppedClock();
    const { stream, requests } = scripted(throttled, text("ok"), throttled, throttled);
    const { agent } = await openAgent({ stream, runtime, resume: true });
    await ask(agent);
    await ask(agent, "do not wait");
    expect(agent.scheduledAt).toBeUndefined();
    await ask(agent);
    agent.cancel();
    await ask(agent);
    await agent.close();
    await move(HOUR);
    expect(requests).toHaveLength(4);
  });

  it("is not put off by an agent that closes while it ends", async () => {
    const { runtime } = stoppedClock();
    const { agent } = await openAgent({ stream: scripted(throttled).stream, runtime, resume: true });
    agent.onEvent(Agent.EVENT.RESULT, () => void agent.close());
    await ask(agent);
    expect(agent.scheduledAt).toBeUndefined();
  });
});

it("goes on over a real wire once the server's wait is over", async () => {
  const lab = await openLab({
    settings: { retry: { attempts: 3, base: 10, max: 100 } },
    server: {
      script: ({ attempt }) =>
        attempt > 0 ? undefined : { status: 429, error: "slow down", headers: { "retry-after": "1" } },
    },
  });
  const agent = lab.open("chat/ok", { resume: true });
  const ends: string[] = [];
  agent.onEvent(Agent.EVENT.RESULT, ({ kind }) => void ends.push(kind));
  expect(await ask(agent)).toMatchObject({ kind: "provider", exitCode: 4, requests: 1 });
  expect(agent.scheduledAt).toBeGreaterThan(Date.now());
  await vi.waitFor(() => expect(ends).toEqual(["provider", "success"]), { timeout: 10_000 });
  const [first, second] = lab.server.asked();
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(990);
  expect(agent.context.messages().map(({ type }) => type)).toEqual([2, 3]);
});

it("holds the program for a run of next month, and no longer than it is scheduled", async () => {
  const { agent } = await openAgent({ stream: scripted(text("ok")).stream });
  const before = openTimers();
  const running = agent.run({ after: "30d" });
  await sleep(20);
  expect([openTimers(), agent.scheduledAt !== undefined]).toEqual([before + 1, true]);
  await agent.close();
  expect(await running).toMatchObject({ kind: "cancelled" });
  expect(openTimers()).toBe(before);
});

describe("a timer", () => {
  it("lasts longer than the 25 days that the system takes", async () => {
    vi.useFakeTimers();
    try {
      let fired = 0;
      const month = 30 * 86_400_000;
      startTimer(month, () => {
        fired += 1;
      });
      vi.advanceTimersByTime(month - 1);
      expect(fired).toBe(0);
      vi.advanceTimersByTime(1);
      expect(fired).toBe(1);
      const stop = startTimer(month, () => {
        fired += 1;
      });
      vi.advanceTimersByTime(month - 1);
      stop();
      vi.advanceTimersByTime(month);
      expect(fired).toBe(1);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});
