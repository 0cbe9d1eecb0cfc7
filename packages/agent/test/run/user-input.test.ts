import { contentText, type Message } from "@ashlar/context";
import type { ToolDescriptions } from "@ashlar/context/tool";
import { describe, expect, it } from "vitest";
import { ask, openAgent } from "../support/open-agent.js";
import { calls, failure, type SeenRequest, scripted, type Turn, text } from "../support/scripted-stream.js";

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

describe("a follow-up", () => {
  const followUp = { as: "followUp" } as const;
  const heard = (requests: readonly SeenRequest[]) =>
    requests.map(({ context }) => contentText(context.at(-1) as Message));

  it("waits until the model would stop, one at a time, in the same run", async () => {
    const { stream, requests } = scripted(again("a"), text("first"), text("second"), text("third"));
    const { agent } = await openAgent({ stream, toolDescriptions: { a: tool(() => "A") } });
    agent.send("then this", followUp);
    agent.send("and that", followUp);
    expect(agent.pending).toBe(2);
    expect(await ask(agent)).toMatchObject({ kind: "success", requests: 4 });
    expect(heard(requests)).toEqual(["hello", "A", "then this", "and that"]);
    expect(agent.pending).toBe(0);
  });

  it("joins with all others at once when it was told to", async () => {
    const { stream, requests } = scripted(text("first"), text("second"));
    const { agent } = await openAgent({ stream, followUp: "all" });
    agent.send("then this", followUp);
    agent.send("and that", followUp);
    await ask(agent);
    expect(heard(requests)).toEqual(["hello", "then this\n\nand that"]);
  });

  it("begins a run when nothing else does, and waits when there is something to answer", async () => {
    const { stream, requests } = scripted(text("first"), text("second"));
    const { agent } = await openAgent({ stream });
    agent.send("on its own", followUp);
    await agent.run();
    expect(heard(requests)).toEqual(["on its own"]);
    const open = await openAgent({
      stream,
      context: [{ type: 2, content: [{ type: "text", text: "open" }] }],
    });
    open.agent.send("later", followUp);
    await open.agent.run();
    expect(heard(requests).slice(1)).toEqual(["open", "later"]);
  });

  it("stays queued behind a failure, a limit and a cancel, and is given back in order", async () => {
    const { stream } = scripted(failure({ kind: "malformed" }), again("a"), text("never"));
    const { agent } = await openAgent({
      stream,
      toolDescriptions: { a: tool(() => agent.cancel()) },
      budget: { requests: 1 },
    });
    agent.send("later", followUp);
    expect(await ask(agent)).toMatchObject({ kind: "malformed" });
    agent.send("now");
    agent.send("last", followUp);
    expect(await agent.run()).toMatchObject({ kind: "cancelled" });
    expect(agent.pendingPop().map(contentText)).toEqual(["later", "last"]);
  });

  it("is no reason to leave a failed answer standing: it is asked for again first", async () => {
    const { stream, requests } = scripted(failure({ kind: "malformed" }), text("first"), text("second"));
    const { agent } = await openAgent({ stream });
    await ask(agent);
    agent.send("later", followUp);
    await agent.run();
    expect(heard(requests)).toEqual(["hello", "hello", "later"]);
  });
});

describe("what steers", () => {
  it("joins one at a time when it was told to", async () => {
    const { stream, requests } = scripted(text("first"), text("second"));
    const { agent } = await openAgent({ stream, steering: "one" });
    agent.send("one");
    agent.send("two");
    expect(await agent.run()).toMatchObject({ requests: 2 });
    expect(requests.map(({ context }) => contentText(context.at(-1) as Message))).toEqual(["one", "two"]);
  });

  it("waits for the next run when it comes while the run is being cancelled", async () => {
    const { stream } = scripted(text("never"));
    const { agent } = await openAgent({
      stream,
      interceptors: [
        {
          beforeRequest: () => {
            agent.cancel();
            agent.send("too late");
            agent.send("and this", { as: "followUp" });
          },
        },
      ],
    });
    expect(await ask(agent)).toMatchObject({ kind: "cancelled", requests: 0 });
    expect(agent.pendingPop().map(contentText)).toEqual(["too late", "and this"]);
  });

  it.each([{ steering: "some" }, { followUp: true }])("cannot be told %o", async (options) => {
    const { stream } = scripted(text("ok"));
    await expect(openAgent({ stream, ...(options as object) })).rejects.toMatchObject({ kind: "usage" });
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
