import { CallIds, pairResponse } from "@ashlar/agent/loop";
import type { AssistantMessage, Block, ToolResultMessage } from "@ashlar/context";
import { describe, expect, it } from "vitest";

const call = (callId: string, executed = false): Block => ({
  type: "toolCall",
  callId,
  name: "read",
  arguments: {},
  ...(executed && { executed }),
});
const message = (...content: Block[]): AssistantMessage => ({ type: 3, content });
const result = (callId: string, text: string): ToolResultMessage => ({
  type: 4,
  callId,
  content: [{ type: "text", text }],
});
const idsOf = ({ content }: AssistantMessage) =>
  content.flatMap((b) => (b.type === "toolCall" ? [b.callId] : []));

describe("call ids", () => {
  it("are the model's when they are free", () => {
    const { message: paired } = pairResponse(message(call("a"), call("b")), [], new CallIds());
    expect(idsOf(paired)).toEqual(["a", "b"]);
  });

  it.each([
    { why: "empty", wanted: ["", ""], given: ["agent-1", "agent-2"] },
    { why: "twice the same", wanted: ["a", "a"], given: ["a", "agent-1"] },
    { why: "one that looks like ours", wanted: ["agent-1", ""], given: ["agent-1", "agent-2"] },
    {
      why: "names of object members",
      wanted: ["__proto__", "constructor"],
      given: ["__proto__", "constructor"],
    },
  ])("are ours when they are $why", ({ wanted, given }) => {
    expect(idsOf(pairResponse(message(...wanted.map((id) => call(id))), [], new CallIds()).message)).toEqual(
      given,
    );
  });

  it("are never used twice in a conversation", () => {
    const ids = new CallIds();
    ids.learn([call("call_0")]);
    expect(idsOf(pairResponse(message(call("call_0")), [], ids).message)).toEqual(["agent-1"]);
    expect(idsOf(pairResponse(message(call("call_0")), [], ids).message)).toEqual(["agent-2"]);
  });

  it("are free again when their response is thrown away", () => {
    const ids = new CallIds();
    pairResponse(message(call("x")), [], ids);
    ids.withdraw();
    expect(idsOf(pairResponse(message(call("x")), [], ids).message)).toEqual(["x"]);
  });

  it("leave the message as it is when nothing had to change", () => {
    const given = message({ type: "text", text: "t" }, call("a"));
    expect(pairResponse(given, [], new CallIds()).message).toBe(given);
  });
});

describe("calls that the provider executed", () => {
  it("get their results in call order, under the agent's ids", () => {
    const ids = new CallIds();
    ids.learn([call("w1")]);
    const given = message(call("w1", true), call("mine"), call("w2", true));
    const paired = pairResponse(given, [result("w2", "two"), result("w1", "one")], ids);
    expect(idsOf(paired.message)).toEqual(["agent-1", "mine", "w2"]);
    expect(paired.results).toMatchObject([
      { callId: "agent-1", name: "read", content: [{ text: "one" }] },
      { callId: "w2", name: "read", content: [{ text: "two" }] },
    ]);
  });

  it("get one result each when their ids are the same", () => {
    const paired = pairResponse(
      message(call("x", true), call("x", true)),
      [result("x", "1"), result("x", "2")],
      new CallIds(),
    );
    expect(paired.results.map(({ callId, content }) => [callId, content[0]])).toEqual([
      ["x", { type: "text", text: "1" }],
      ["agent-1", { type: "text", text: "2" }],
    ]);
  });

  it("get an error result when theirs did not come", () => {
    expect(pairResponse(message(call("x", true)), [], new CallIds()).results).toMatchObject([
      { callId: "x", error: true },
    ]);
  });
});
