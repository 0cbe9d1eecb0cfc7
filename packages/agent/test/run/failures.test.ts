import { Context, createMemoryStore, MessageType } from "@ashlar/context";
import { describe, expect, it } from "vitest";
import { ask, manualRuntime, openAgent } from "../support/open-agent.js";
import { failure, nothing, scripted, text } from "../support/scripted-stream.js";

describe("a request that fails", () => {
  it("is sent again after growing waits, and nothing of the failures is stored", async () => {
    const { runtime, waits } = manualRuntime();
    const { stream } = scripted(
      failure({}, "Half an ans"),
      failure({ kind: "provider", status: 503 }),
      text("whole"),
    );
    const { agent, events } = await openAgent({ stream, runtime });
    const result = await ask(agent);
    expect(result).toMatchObject({ kind: "success", requests: 3 });
    expect(waits).toEqual([2_000, 4_000]);
    expect(agent.context.messages().map(({ type }) => type)).toEqual([
      MessageType.user,
      MessageType.assistant,
    ]);
    expect(
      events.map(({ type }) => type).filter((type) => type !== "text_delta" && !type.startsWith("text_")),
    ).toEqual([...["start", "error", "retry", "start", "error", "retry"], ...["start", "done", "result"]]);
  });

  it("ends the run with its kind and status; what arrived stays, marked as incomplete", async () => {
    const { stream } = scripted(
      failure({ kind: "provider", status: 400, error: "bad request" }, "Half an ans"),
    );
    const { agent } = await openAgent({ stream });
    const result = await ask(agent);
    expect(result).toMatchObject({
      status: "failed",
      kind: "provider",
      exitCode: 4,
      httpStatus: 400,
      requests: 1,
    });
    expect(result.error).toContain("bad request");
    expect(agent.context.at(-1)).toMatchObject({
      type: 3,
      content: [{ text: "Half an ans" }],
      error: "bad request",
      incomplete: true,
    });
  });

  it("does not stand in the way of the next try", async () => {
    const { stream, requests } = scripted(failure({ kind: "provider", status: 400 }), text("better"));
    const { agent } = await openAgent({ stream });
    await ask(agent);
    expect(await agent.run()).toMatchObject({ kind: "success" });
    expect(requests[1]?.context.map(({ type }) => type)).toEqual([MessageType.user]);
  });

  it("stays in the conversation when the user replied to it", async () => {
    const { stream, requests } = scripted(failure({ kind: "provider", status: 400 }, "Half"), text("better"));
    const { agent } = await openAgent({ stream });
    await ask(agent);
    await ask(agent, "try again");
    expect(requests[1]?.context.map(({ type }) => type)).toEqual([
      MessageType.user,
      MessageType.assistant,
      MessageType.user,
    ]);
  });

  it("throttles the agent when the provider wants a longer pause than the policy has", async () => {
    const { runtime, waits } = manualRuntime();
    const { stream } = scripted(failure({ kind: "provider", status: 429, retryAfterMs: 600_000 }));
    const { agent, events } = await openAgent({ stream, runtime });
    const result = await ask(agent);
    expect(waits).toEqual([]);
    expect(result).toMatchObject({ kind: "provider", exitCode: 4, throttledUntil: 1_700_000_600_000 });
    expect(agent.throttledUntil).toBe(1_700_000_600_000);
    expect(events.slice(-2)).toMatchObject([{ type: "throttled", waitMs: 600_000 }, { type: "result" }]);
    expect(result.error).toContain(new Date(1_700_000_600_000).toISOString());
  });

  it("of kind auth is not repeated when the credentials are the same, and nothing is left running", async () => {
    const { agent } = await openAgent({ stream: scripted(failure({ kind: "auth", status: 401 })).stream });
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const before = timers();
    expect(await ask(agent)).toMatchObject({ kind: "auth", exitCode: 2, httpStatus: 401, requests: 1 });
    expect(timers()).toBe(before);
  });

  it("is one that threw, ended without a word, or sent events after its end", async () => {
    const thrown = await openAgent({
      stream: () => {
        throw new Error("no such host");
      },
    });
    expect(await ask(thrown.agent)).toMatchObject({ kind: "provider", error: "no such host", requests: 1 });
    const { runtime } = manualRuntime();
    const silent = await openAgent({ runtime, stream: async () => undefined as never });
    expect(await ask(silent.agent)).toMatchObject({ kind: "network", requests: 3 });
    const chatty = await openAgent({
      stream: async (_context, sink) => {
        sink({ type: "text_delta", contentIndex: 0, text: "hi" });
        setTimeout(() => sink({ type: "text_delta", contentIndex: 0, text: "late" }), 1);
        return { type: "done" };
      },
    });
    expect(await ask(chatty.agent)).toMatchObject({
      kind: "success",
      message: { content: [{ text: "hi" }] },
    });
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(chatty.events.filter(({ type }) => type === "text_delta")).toHaveLength(1);
  });
});

describe("an answer that holds nothing", () => {
  it("is asked for once more", async () => {
    const { stream } = scripted(nothing(), text("here"));
    const { agent, events } = await openAgent({ stream });
    expect(await ask(agent)).toMatchObject({ kind: "success", requests: 2 });
    expect(events.find(({ type }) => type === "retry")).toMatchObject({ reason: "empty", delayMs: 0 });
    expect(events.filter(({ type }) => type === "done")).toHaveLength(1);
  });

  it("is an error the second time", async () => {
    const { agent } = await openAgent({ stream: scripted(nothing()).stream });
    expect(await ask(agent)).toMatchObject({ kind: "provider", exitCode: 4, requests: 2 });
  });
});

it("ends when its store fails, and says so", async () => {
  const context = new Context({
    store: {
      ...createMemoryStore(),
      append: () => Promise.reject(new Error("disk full")),
    },
  });
  const { env } = await openAgent({ stream: scripted(text("ok")).stream });
  const agent = env.agentCreate({ stream: scripted(text("ok")).stream, context });
  const result = await ask(agent);
  expect(result).toMatchObject({ status: "failed", kind: "other", exitCode: 1 });
  expect(result.error).toContain("disk full");
  expect(await ask(agent, "are you there?")).toMatchObject({ kind: "other" });
  expect(agent.pending).toBe(1);
  await expect(agent.close()).rejects.toMatchObject({ kind: "storage" });
  expect(env.agents()).not.toContain(agent);
});
