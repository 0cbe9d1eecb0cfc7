import { describe, expect, it } from "vitest";
import { openAgent } from "./support/open-agent.js";
import { scripted, text } from "./support/scripted-stream.js";

const policyOf = async (envSettings: object, model = "lab/one") => {
  const { agent } = await openAgent({
    stream: scripted(text("ok")).stream,
    model,
    envSettings: { ...envSettings },
  });
  return agent.policy;
};

describe("the policy of an agent", () => {
  it("has a default for everything, and is frozen", async () => {
    const policy = await policyOf({});
    expect(policy).toEqual({
      context: {
        cap: 0.9,
        turn: 0.4,
        assumedWindow: 200_000,
        autocompact: 0.4,
        autocompactMax: 200_000,
      },
      retry: { attempts: 3, base: 2_000, max: 30_000 },
      tools: { timeout: 120_000, timeoutLimit: 1_200_000, concurrency: 3 },
      budget: {
        requests: 200,
        tokens: 10_000_000,
        durationMs: 14_400_000,
        cost: Number.POSITIVE_INFINITY,
        depth: 1,
        width: 8,
        repeats: 8,
      },
    });
    for (const part of [policy, ...Object.values(policy)]) expect(Object.isFrozen(part)).toBe(true);
  });

  it("takes what is set and keeps the rest", async () => {
    const policy = await policyOf({
      context: { cap: 80, turn: 0.5 },
      retry: { base: "500ms" },
      tools: { timeout: "30s" },
      budget: { requests: false, duration: "1h", repeats: false },
    });
    expect(policy.context).toMatchObject({ cap: 0.8, turn: 0.5, assumedWindow: 200_000 });
    expect(policy.retry).toEqual({ attempts: 3, base: 500, max: 30_000 });
    expect(policy.tools).toMatchObject({ timeout: 30_000, concurrency: 3 });
    expect(policy.budget).toMatchObject({
      requests: Number.POSITIVE_INFINITY,
      durationMs: 3_600_000,
      repeats: Number.POSITIVE_INFINITY,
      tokens: 10_000_000,
    });
  });

  it("lets an endpoint and a model have their own context rules, key by key", async () => {
    const settings = {
      context: { cap: 0.8, turn: 0.3, assumedWindow: 1_000 },
      providers: {
        lab: {
          url: "http://127.0.0.1:9",
          context: { turn: 0.2 },
          models: { one: { context: { cap: 0.7 } } },
        },
      },
    };
    expect((await policyOf(settings)).context).toMatchObject({ cap: 0.7, turn: 0.2, assumedWindow: 1_000 });
    expect((await policyOf(settings, "lab/two")).context).toMatchObject({
      cap: 0.8,
      turn: 0.2,
      assumedWindow: 1_000,
    });
    expect((await policyOf(settings, "other/one")).context).toMatchObject({
      cap: 0.8,
      turn: 0.3,
      assumedWindow: 1_000,
    });
  });

  it.each([
    { given: { autocompact: 30 }, autocompact: 0.3, autocompactMax: 200_000 },
    { given: { autocompact: false }, autocompact: 0, autocompactMax: 200_000 },
    { given: { autocompact: 0 }, autocompact: 0, autocompactMax: 200_000 },
    { given: { autocompact: 1 }, autocompact: 0, autocompactMax: 200_000 },
    { given: { autocompactMax: 0 }, autocompact: 0.4, autocompactMax: Number.POSITIVE_INFINITY },
    { given: { autocompactMax: 50_000 }, autocompact: 0.4, autocompactMax: 50_000 },
  ])("reads $given as when to compact", async ({ given, ...expected }) => {
    expect((await policyOf({ context: given })).context).toMatchObject(expected);
  });

  it.each([
    { key: "context.autocompact", context: { autocompact: "often" } },
    { key: "context.autocompact", context: { autocompact: 400 } },
    { key: "context.autocompactMax", context: { autocompactMax: 1.5 } },
  ])("names a context rule that makes no sense: $key", async ({ key, context }) => {
    const settings = { providers: { lab: { url: "http://127.0.0.1:9", context } } };
    await expect(policyOf(settings)).rejects.toMatchObject({ kind: "settings", details: { key } });
  });

  it("does not change in the life of an agent but with its model", async () => {
    const { agent, env } = await openAgent({ stream: scripted(text("ok")).stream, model: "lab/one" });
    env.settings.retry = { attempts: 7 };
    expect(agent.policy.retry.attempts).toBe(3);
    agent.model = "lab/two";
    expect(agent.policy.retry.attempts).toBe(7);
  });

  it.each([
    { key: "budget.requests", budget: { requests: -1 } },
    { key: "budget.repeats", budget: { repeats: "often" } },
    { key: "budget.depth", budget: { depth: 1.5 } },
    { key: "budget.duration", budget: { duration: "soon" } },
  ])("names what makes no sense: $key", async ({ key, budget }) => {
    const { agent } = await openAgent({ stream: scripted(text("ok")).stream });
    agent.send("hello");
    const running = agent.run({ budget: budget as object });
    await expect(running).rejects.toMatchObject({ kind: "settings", details: { key } });
    expect(agent.busy).toBe(false);
  });
});
