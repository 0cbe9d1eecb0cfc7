import type { ToolDescriptions } from "@ashlar/context/tool";
import { describe, expect, it } from "vitest";
import { ask, openAgent } from "../support/open-agent.js";
import { calls, failure, scripted, type Turn, text } from "../support/scripted-stream.js";

const tool = (fn: (args: never) => unknown): ToolDescriptions[string] => ({
  description: "A tool.",
  safe: true,
  inputSchema: { type: "object" },
  fn: (args) => fn(args) as string,
});
const again = (name: string, args: unknown = {}): Turn => calls([{ name, args }]);

describe("what a user sends", () => {
  it("waits for the run, and the same text twice is sent twice", async () => {
    const { stream, requests } = scripted(text("ok"));
    const { agent } = await openAgent({ stream });
    agent.send("again");
    agent.send("again");
    expect([agent.pending, agent.context.length]).toEqual([2, 0]);
    await agent.run();
    expect(requests[0]?.context).toMatchObject([{ type: 2, content: [{ text: "again\n\nagain" }] }]);
  });

  it("while tools run joins after their results", async () => {
    const { stream, requests } = scripted(again("a"), text("ok"));
    const { agent } = await openAgent({
      stream,
      toolDescriptions: {
        a: tool(() => {
          agent.send("by the way");
          return "A";
        }),
      },
    });
    await ask(agent);
    expect(requests[1]?.context.map(({ type }) => type)).toEqual([2, 3, 4, 2]);
  });

  it("while the last answer comes is answered in the same run", async () => {
    const { stream, requests } = scripted(() => {
      if (requests.length === 1) agent.send("one more thing");
      return text("first");
    }, text("second"));
    const { agent } = await openAgent({ stream });
    expect(await ask(agent)).toMatchObject({ requests: 2, message: { content: [{ text: "second" }] } });
  });

  it("stays queued when the run fails, and can be taken back", async () => {
    const { stream } = scripted(() => {
      agent.send("unheard");
      return failure({ kind: "provider", status: 400 });
    });
    const { agent } = await openAgent({ stream });
    await ask(agent);
    expect(agent.pending).toBe(1);
    expect(agent.pendingPop()).toMatchObject([{ content: [{ text: "unheard" }] }]);
    expect(agent.pending).toBe(0);
  });

  it("means go on when it is blank", async () => {
    const { stream, requests } = scripted(text("first"), text("second"));
    const { agent } = await openAgent({ stream });
    await ask(agent);
    expect(await ask(agent, " \n\t")).toMatchObject({ kind: "success" });
    expect(requests[1]?.context.map(({ type }) => type)).toEqual([2, 3]);
  });

  it("may be blocks, and is checked at once", async () => {
    const { stream, requests } = scripted(text("ok"));
    const { agent } = await openAgent({ stream });
    agent.send([
      { type: "text", text: "look" },
      { type: "image", content: "AAAA", mimetype: "image/png" },
    ]);
    expect(() => agent.send([{ type: "text" } as never])).toThrow(
      expect.objectContaining({ kind: "malformed" }),
    );
    await agent.run();
    expect(requests[0]?.context).toMatchObject([{ content: [{ type: "text" }, { type: "image" }] }]);
  });

  it("must be something before the first run", async () => {
    const { agent } = await openAgent({ stream: scripted(text("ok")).stream });
    expect(await agent.run()).toMatchObject({ kind: "usage", exitCode: 1, requests: 0 });
  });
});

it("counts usage over all runs, from zero", async () => {
  const { agent } = await openAgent({ stream: scripted(text("ok")).stream });
  expect(agent.usage).toEqual({ inputTokens: 0, outputTokens: 0, source: "provider" });
  await ask(agent);
  await ask(agent);
  expect(agent.usage).toMatchObject({ inputTokens: 20, outputTokens: 4 });
});

it("looks only at what is new in each round", async () => {
  const rounds = 300;
  const { stream, requests } = scripted(({ index }) =>
    index < rounds ? calls([{ name: "a", args: { n: index } }]) : text("ok"),
  );
  const { agent } = await openAgent({
    stream,
    toolDescriptions: { a: tool(({ n }: { n: number }) => `r${n}`) },
    budget: { requests: false },
  });
  expect(await ask(agent)).toMatchObject({ kind: "success", requests: rounds + 1 });
  // The messages of one request are the very objects of the next.
  const last = requests[rounds]?.context ?? [];
  const before = requests[rounds - 1]?.context ?? [];
  expect(before.every((item, index) => item === last[index])).toBe(true);
});
