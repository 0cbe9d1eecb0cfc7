import { Env } from "@ashlar/env";
import { expect, it } from "vitest";
import { AgentEnv, plugin } from "../extend/agent-layer.js";
import { openProject } from "../open-project.js";

const { AGENT_ADDED, AGENT_REMOVED } = AgentEnv.EVENT;
const agent = { name: "a" };

it("gives integer handles that end a subscription once", async () => {
  const { env } = await openProject();
  let count = 0;
  const handle = env.onEvent(AGENT_ADDED, () => {
    count += 1;
  });
  expect(Number.isInteger(handle)).toBe(true);
  plugin.emit(env, "AGENT_ADDED", { agent });
  plugin.emit(env, "AGENT_REMOVED", { agent });
  expect(env.safe.offEvent(handle)).toBe(true);
  expect(env.offEvent(handle)).toBe(false);
  plugin.emit(env, "AGENT_ADDED", { agent });
  expect(count).toBe(1);
});

it("reports a listener that throws or rejects, and goes on with the others", async () => {
  const { env } = await openProject();
  let reached = 0;
  env.onEvent(AGENT_ADDED, () => {
    throw new Error("sync");
  });
  env.onEvent(AGENT_ADDED, async () => {
    throw new Error("later");
  });
  env.onEvent(AGENT_ADDED, () => {
    reached += 1;
  });
  plugin.emit(env, "AGENT_ADDED", { agent });
  plugin.emit(env, "AGENT_ADDED", { agent });
  await new Promise((resolve) => setImmediate(resolve));
  expect(reached).toBe(2);
  expect(env.diagnostics).toEqual([
    { kind: "event", message: "A listener of AGENT_ADDED failed: sync" },
    { kind: "event", message: "A listener of AGENT_ADDED failed: later" },
  ]);
});

it("does not call a listener that an earlier one ended", async () => {
  const { env } = await openProject();
  const seen: string[] = [];
  let second = 0;
  env.onEvent(AGENT_REMOVED, () => {
    seen.push("first");
    env.offEvent(second);
  });
  second = env.onEvent(AGENT_REMOVED, () => {
    seen.push("second");
  });
  plugin.emit(env, "AGENT_REMOVED", { agent });
  expect(seen).toEqual(["first"]);
});

it("refuses what is no event or no listener", async () => {
  const { env } = await openProject();
  for (const args of [
    ["AGENT_ADDED", () => 1],
    [Symbol("AGENT_ADDED"), () => 1],
    [undefined, () => 1],
    [AGENT_ADDED, 5],
  ]) {
    expect(() => Reflect.apply(env.onEvent, env, args)).toThrow(expect.objectContaining({ kind: "usage" }));
  }
});

it("keeps the events of one Env from another", async () => {
  const one = await openProject();
  const two = await openProject();
  let count = 0;
  one.env.onEvent(AGENT_ADDED, () => {
    count += 1;
  });
  plugin.emit(two.env, "AGENT_ADDED", { agent });
  expect(count).toBe(0);
  expect(Env.EVENT.MODELS_CHANGED).not.toBe(AGENT_ADDED);
});
