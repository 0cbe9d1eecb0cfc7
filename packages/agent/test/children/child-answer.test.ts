import { Agent } from "@ashlar/agent";
import { describe, expect, it } from "vitest";
import { safeTool, textOf } from "../support/call-tools.js";
import { ask, openAgent } from "../support/open-agent.js";
import { ok, openParent } from "../support/open-parent.js";
import { calls, failure, scripted, text } from "../support/scripted-stream.js";

describe("what a child answers", () => {
  const received = (agent: Agent) =>
    agent.pendingPop().map((message) => ({ worker: message.worker, text: textOf(message) }));

  it("waits for the parent's next request, headed by the child's name", async () => {
    const { stream, requests } = scripted(text("thanks"));
    const { agent } = await openParent({ stream });
    const child = await agent.childCreate({ name: "reader", stream: scripted(text("It is blue.")).stream });
    await ask(child);
    expect([agent.pending, agent.busy]).toEqual([1, false]);
    await agent.run();
    expect(requests[0]?.context.at(-1)).toMatchObject({
      type: 2,
      worker: "reader",
      content: [{ type: "text", text: "Worker reader answered:\n\nIt is blue." }],
    });
  });

  it("reaches a parent at work with its next request", async () => {
    const box: { child?: Agent } = {};
    const work = safeTool(async () => {
      if (box.child !== undefined) await ask(box.child);
      return "worked";
    });
    const { stream, requests } = scripted(calls([{ name: "work" }]), text("thanks"));
    const { agent } = await openParent({ stream, toolDescriptions: { work } });
    box.child = await agent.childCreate({ name: "reader", stream: scripted(text("blue")).stream });
    await ask(agent);
    expect(JSON.stringify(requests[1]?.context.at(-1))).toContain("Worker reader answered");
  });

  it.each([
    {
      why: "a failure",
      stream: scripted(failure({ kind: "auth", error: "no key" })).stream,
      text: /did not finish \(auth: no key\)/,
    },
    { why: "a stop", stream: scripted(calls([{ name: "none" }])).stream, text: /did not finish \(budget: / },
    { why: "no text", stream: scripted(text("")).stream, text: /did not finish|\(no text\)/ },
  ])("is said to be $why", async ({ stream, text: words }) => {
    const { agent } = await openParent({ budget: { requests: 4 } });
    await ask(await agent.childCreate({ name: "reader", stream }));
    expect(received(agent)).toEqual([{ worker: "reader", text: expect.stringMatching(words) }]);
  });

  it("is only that it was cancelled, when it was", async () => {
    const { agent } = await openParent();
    const child = await agent.childCreate({ name: "reader" });
    child.send("hello");
    const abort = new AbortController();
    abort.abort();
    await child.run({ signal: abort.signal });
    expect(received(agent)).toMatchObject([{ text: "Worker reader was cancelled." }]);
  });
});

describe("a parent that closes", () => {
  it("marks that first, then ends its children with their runs", async () => {
    const { agent, env } = await openParent();
    const slow = safeTool(
      (_args, { signal }) =>
        new Promise((resolve) => signal.addEventListener("abort", () => resolve("late"))),
    );
    const own = await openAgent({ stream: ok(), toolDescriptions: { slow } });
    const events: string[] = [];
    const child = await own.agent.childCreate({
      name: "a",
      stream: scripted(calls([{ name: "slow" }])).stream,
    });
    own.agent.onEvent(Agent.EVENT.CLOSE_MARKED, () => void events.push("marked"));
    own.agent.onEvent(Agent.EVENT.CHILD_REMOVED, () => void events.push("child gone"));
    own.agent.onEvent(Agent.EVENT.CLOSED, () => void events.push("closed"));
    const running = ask(child);
    await own.agent.close();
    expect(await running).toMatchObject({ kind: "cancelled" });
    expect(events).toEqual(["marked", "child gone", "closed"]);
    expect([own.agent.pending, own.env.agents()]).toEqual([0, []]);
    expect(env.agents()).toEqual([agent]);
  });

  it("takes nothing new from the mark on, and ends what is under way only when it closes", async () => {
    const { agent } = await openParent();
    const marks: number[] = [];
    agent.onEvent(Agent.EVENT.CLOSE_MARKED, () => void marks.push(1));
    agent.closeMark();
    agent.closeMark();
    expect([agent.closeMarked, agent.closed, marks.length]).toEqual([true, false, 1]);
    const closed = expect.objectContaining({ kind: "closed" });
    expect(() => agent.send("hello")).toThrow(closed);
    await expect(agent.childCreate({ name: "a" })).rejects.toThrow(closed);
    await agent.close();
    expect([agent.closed, marks.length]).toEqual([true, 1]);
  });
});
