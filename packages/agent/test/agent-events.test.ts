import { Agent } from "@ashlar/agent";
import { describe, expect, it } from "vitest";
import { ask, openAgent } from "./support/open-agent.js";
import { calls, failure, scripted, text } from "./support/scripted-stream.js";

const toolDescriptions = {
  a: {
    description: "A tool.",
    safe: true,
    inputSchema: { type: "object" },
    fn: () => ({ result: "A", display: "shown" }),
  },
};
const names = new Map(Object.entries(Agent.EVENT).map(([name, key]) => [key as symbol, name]));

/** Writes down the name of every event by key, in order. */
function record(agent: Agent): string[] {
  const heard: string[] = [];
  for (const key of Object.values(Agent.EVENT))
    agent.onEvent<unknown>(key as never, () => heard.push(names.get(key) ?? "?"));
  return heard;
}

describe("events by key", () => {
  it("are Symbols that say what they are", () => {
    expect(String(Agent.EVENT.TEXT_DELTA)).toBe("Symbol(Agent.EVENT.TEXT_DELTA)");
    expect(Object.isFrozen(Agent.EVENT)).toBe(true);
  });

  it("come in the order in which things are settled", async () => {
    const { agent } = await openAgent({
      stream: scripted(calls([{ name: "a" }]), text("ok")).stream,
      toolDescriptions,
    });
    const heard = record(agent);
    await ask(agent);
    await agent.close();
    expect(heard).toEqual([
      ...[
        "SENT_MESSAGE",
        "REQUEST_START",
        "TOOL_CALL_START",
        "TOOL_CALL_END",
        "MESSAGE_COMMITTED",
        "REQUEST_DONE",
      ],
      ...["TOOL_EXECUTE", "MESSAGE_COMMITTED", "TOOL_RESULT"],
      ...["REQUEST_START", "TEXT_START", "TEXT_DELTA", "TEXT_END", "MESSAGE_COMMITTED", "REQUEST_DONE"],
      ...["RESULT", "CLOSE_MARKED", "CLOSED"],
    ]);
  });

  it("tell of a failure after it was counted and stored", async () => {
    const { agent } = await openAgent({
      stream: scripted(failure({ kind: "provider", status: 400 }, "Half")).stream,
    });
    const heard = record(agent);
    let stored: unknown;
    agent.onEvent(Agent.EVENT.REQUEST_ERROR, () => {
      stored = agent.context.at(-1);
    });
    await ask(agent);
    expect(heard.slice(-3)).toEqual(["MESSAGE_COMMITTED", "REQUEST_ERROR", "RESULT"]);
    expect(stored).toMatchObject({ incomplete: true });
  });

  it("carry what they are about", async () => {
    const { agent } = await openAgent({
      stream: scripted(calls([{ name: "a", id: "c" }]), text("ok")).stream,
      toolDescriptions,
    });
    const shown: unknown[] = [];
    agent.onEvent(Agent.EVENT.TOOL_RESULT, ({ result, display }) => shown.push(result.callId, display));
    agent.onEvent(Agent.EVENT.MESSAGE_COMMITTED, ({ type }) => shown.push(type));
    agent.onEvent(Agent.EVENT.TEXT_DELTA, ({ text: delta }) => shown.push(delta));
    await ask(agent);
    expect(shown).toEqual([3, 4, "c", [{ type: "text", text: "shown" }], "ok", 3]);
  });

  it("are the very objects of the stream", async () => {
    const { agent, events } = await openAgent({ stream: scripted(text("ok")).stream });
    const deltas: unknown[] = [];
    agent.onEvent(Agent.EVENT.TEXT_DELTA, (event) => deltas.push(event));
    await ask(agent);
    expect(deltas[0]).toBe(events.find(({ type }) => type === "text_delta"));
  });

  it("stop with their handle", async () => {
    const { agent } = await openAgent({ stream: scripted(text("ok")).stream });
    let heard = 0;
    const handle = agent.onEvent(Agent.EVENT.RESULT, () => {
      heard += 1;
    });
    expect(agent.offEvent(handle)).toBe(true);
    expect(agent.offEvent(handle)).toBe(false);
    await ask(agent);
    expect(heard).toBe(0);
  });
});

describe("a listener that fails", () => {
  it("is reported and changes nothing for the run or the others", async () => {
    const { agent, events } = await openAgent({ stream: scripted(text("ok")).stream });
    const log: string[] = [];
    agent.onEvent(Agent.EVENT.LOG, (message) => log.push(message));
    agent.onEvent(Agent.EVENT.REQUEST_START, () => {
      throw new Error("my mistake");
    });
    agent.onEvent(Agent.EVENT.REQUEST_DONE, () => Promise.reject(new Error("mine too")) as never);
    const seen: string[] = [];
    agent.onEvent(Agent.EVENT.REQUEST_START, () => seen.push("start"));
    expect(await ask(agent)).toMatchObject({ kind: "success" });
    await new Promise((resolve) => setTimeout(resolve, 1));
    expect(seen).toEqual(["start"]);
    expect(log).toEqual(["An event listener failed: my mistake", "An event listener failed: mine too"]);
    expect(events.filter(({ type }) => type === "notice")).toHaveLength(2);
  });

  it("of failures ends the matter", async () => {
    const { agent } = await openAgent({ stream: scripted(text("ok")).stream });
    agent.subscribe(() => {
      throw new Error("always");
    });
    expect(await ask(agent)).toMatchObject({ kind: "success" });
  });
});

it("ends a subscription", async () => {
  const { agent } = await openAgent({ stream: scripted(text("ok")).stream });
  const seen: string[] = [];
  const stop = agent.subscribe(({ type }) => seen.push(type));
  await ask(agent);
  const before = seen.length;
  stop();
  await ask(agent);
  expect(seen).toHaveLength(before);
});

it("gives every run exactly one result, as its last event", async () => {
  const { agent, events } = await openAgent({
    stream: scripted(text("ok"), failure({ kind: "malformed" })).stream,
  });
  const first = await ask(agent);
  expect(events.at(-1)).toBe(first);
  const second = await ask(agent);
  expect(events.at(-1)).toBe(second);
  expect(events.filter(({ type }) => type === "result")).toEqual([first, second]);
});
