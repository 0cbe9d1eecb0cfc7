import { Budget } from "@ashlar/agent";
import { describe, expect, it } from "vitest";
import { safeTool } from "../support/call-tools.js";
import { ask } from "../support/open-agent.js";
import { openParent, usage } from "../support/open-parent.js";
import { calls, scripted, text } from "../support/scripted-stream.js";

describe("one budget", () => {
  const endless = () => scripted(({ index }) => calls([{ name: "a", args: { index } }])).stream;
  const toolDescriptions = { a: safeTool(({ index }: { index: number }) => String(index)) };

  it("stops three children together, however they take turns", async () => {
    const { agent } = await openParent({ toolDescriptions, budget: { requests: 10 } });
    const names = ["a", "b", "c"];
    const children = await Promise.all(names.map((name) => agent.childCreate({ name, stream: endless() })));
    const results = await Promise.all(children.map((child) => ask(child)));
    expect(results).toMatchObject(
      names.map(() => ({ kind: "budget", exitCode: 6, stop: { rule: "requests", used: 10, limit: 10 } })),
    );
    expect(results.reduce((sum, { requests }) => sum + requests, 0)).toBe(10);
    expect(results.every(({ requests }) => requests > 0)).toBe(true);
    await agent.close();
    expect(children.map(({ closed }) => closed)).toEqual([true, true, true]);
  });

  it("is that of the parent's run, and begins anew with the next one", async () => {
    const { agent } = await openParent({ budget: { requests: 2 } });
    const child = await agent.childCreate({ name: "a" });
    await ask(child);
    await ask(child);
    expect(await ask(child)).toMatchObject({ stop: { rule: "requests" } });
    expect(await ask(agent)).toMatchObject({ kind: "success", requests: 1 });
    expect(await ask(child)).toMatchObject({ kind: "success" });
    expect(await ask(child)).toMatchObject({ stop: { rule: "requests" } });
  });

  it("that was handed in is not begun anew", async () => {
    const budget = Budget.start({ requests: 2 }, Date.now());
    const { agent } = await openParent({ budget });
    const child = await agent.childCreate({ name: "a" });
    await ask(child);
    await ask(agent);
    expect(await ask(child)).toMatchObject({ stop: { rule: "requests" } });
    expect(await ask(agent)).toMatchObject({ stop: { rule: "requests" } });
  });

  it("is not for a child's run to change", async () => {
    const { agent } = await openParent();
    const child = await agent.childCreate({ name: "a" });
    child.send("hello");
    await expect(child.run({ budget: { requests: 5 } })).rejects.toThrow(usage("budget"));
  });

  it("says how many children there may be, and how deep", async () => {
    const { agent } = await openParent({ budget: { width: 2, depth: 1 } });
    const [first] = [await agent.childCreate({ name: "a" }), await agent.childCreate({ name: "b" })];
    await expect(agent.childCreate({ name: "c" })).rejects.toThrow(usage("budget.width", /2 of 2/));
    await expect(first?.childCreate({ name: "d" })).rejects.toThrow(usage("budget.depth", /1 of 1/));
    await ask(agent);
    await expect(agent.childCreate({ name: "c" })).rejects.toThrow(usage("budget.width"));
    await first?.close();
    await agent.childCreate({ name: "c" });
  });

  it("may let children have children", async () => {
    const { agent } = await openParent({ budget: { depth: 2, requests: 3 } });
    const child = await agent.childCreate({ name: "a" });
    const below = await child.childCreate({ name: "b" });
    expect([below.parent, below.can.spawn]).toEqual([child, false]);
    await ask(below);
    await ask(child);
    await ask(below);
    expect(await ask(child)).toMatchObject({ stop: { rule: "requests", used: 3 } });
    await agent.close();
    expect([child.closed, below.closed]).toEqual([true, true]);
  });
});

it("takes no more agents at one time than its model does", async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const wait = safeTool(async () => {
    await held;
    return "done";
  });
  const { agent, env } = await openParent({
    model: "a/b",
    toolDescriptions: { wait },
    envSettings: { maxActive: 1 },
  });
  const child = await agent.childCreate({
    name: "a",
    stream: scripted(calls([{ name: "wait" }]), text("ok")).stream,
  });
  const running = ask(child);
  await expect(agent.childCreate({ name: "b" })).rejects.toThrow(
    usage("maxActive", /a\/b takes 0 more of 1/),
  );
  await agent.childCreate({ name: "c", model: "a/c" });
  release();
  await running;
  await agent.childCreate({ name: "b" });
  expect(env.agents().map(({ name }) => name)).toContain("b");
});
