import { setTimeout as sleep } from "node:timers/promises";
import type { BeforeRequest, FinishedTurn, Interceptor, RunResult } from "@ashlar/agent";
import { contentText, isMessage, type Message } from "@ashlar/context";
import { describe, expect, it } from "vitest";
import { safeTool } from "../support/call-tools.js";
import { ask, type OpenedAgent, type OpenOptions, openAgent } from "../support/open-agent.js";
import {
  calls,
  failure,
  type ScriptedStream,
  scripted,
  type Turn,
  text,
} from "../support/scripted-stream.js";

const toolDescriptions = { a: safeTool(() => "A") };
const hang = () => new Promise<never>(() => {});

interface Opened extends OpenedAgent, ScriptedStream {
  readonly result: RunResult;
}

/** One run with these hooks: one call, then an answer. */
async function runWith(
  interceptor: Interceptor,
  turns: readonly Turn[] = [calls([{ name: "a" }]), text("ok")],
  options: Partial<OpenOptions> = {},
): Promise<Opened> {
  const script = scripted(...turns);
  const { stream } = script;
  const opened = await openAgent({ stream, toolDescriptions, interceptors: [interceptor], ...options });
  return { ...opened, ...script, result: await ask(opened.agent) };
}

const shown = (context: readonly unknown[]): readonly string[] =>
  context.filter((item): item is Message => isMessage(item)).map(contentText);

describe("a hook before a request", () => {
  it("sees what the provider would, and is asked for each attempt", async () => {
    const seen: BeforeRequest[] = [];
    const { requests } = await runWith(
      { beforeRequest: (request) => void seen.push(request) },
      [failure(), text("ok")],
      { envSettings: { retry: { base: 1 } }, thinking: "low", settings: { temperature: 0 } },
    );
    expect(seen).toHaveLength(2);
    expect(requests).toHaveLength(2);
    expect(seen[0]).toMatchObject({
      messages: [{ type: 2, content: [{ text: "hello" }] }],
      model: "stream/model",
      thinking: "low",
      settings: { temperature: 0 },
    });
    expect(Object.isFrozen(seen[0]?.messages)).toBe(true);
  });

  it("changes what is shown, for this request only", async () => {
    const { agent, requests } = await runWith({
      beforeRequest: ({ messages, settings }) => ({
        messages: [{ type: 1, content: [{ type: "text", text: "be brief" }] }, ...messages],
        settings: { seed: Object.keys(settings).length },
        thinking: "high",
      }),
    });
    expect(requests.map(({ context }) => shown(context)[0])).toEqual(["be brief", "be brief"]);
    expect(requests[0]?.options).toMatchObject({ settings: { seed: 0 }, thinking: "high" });
    expect(shown(agent.context.items())).toEqual(["hello", "", "A", "ok"]);
  });

  it("may leave out messages; calls and results stay paired", async () => {
    const { requests } = await runWith({
      beforeRequest: ({ messages }) => ({ messages: messages.filter(({ type }) => type !== 4) }),
    });
    expect(requests[1]?.context.map(({ type }) => type)).toEqual([2, 3, 4]);
    expect(shown(requests[1]?.context ?? [])[2]).toContain("has no result");
  });

  it("comes after the ones before it", async () => {
    const { stream, requests } = scripted(text("ok"));
    const add = (word: string): Interceptor => ({
      beforeRequest: ({ messages }) => ({
        messages: [...messages, { type: 2, content: [{ type: "text", text: word }] }],
      }),
    });
    const { agent } = await openAgent({ stream, interceptors: [add("one"), add("two")] });
    await ask(agent);
    expect(shown(requests[0]?.context ?? [])).toEqual(["hello", "one", "two"]);
  });

  it.each([
    {
      why: "throws",
      hook: () => {
        throw new Error("the scanner is away");
      },
      says: "failed: the scanner is away",
    },
    { why: "hangs", hook: hang, says: "gave no answer within 50 ms" },
    { why: "gives no messages", hook: () => ({ messages: [] }), says: "something to send" },
    {
      why: "gives what is no message",
      hook: () => ({ messages: [{ type: 9 }] }) as never,
      says: "messages[0].type",
    },
    {
      why: "knows no such level",
      hook: () => ({ thinking: "hard" }) as never,
      says: "thinking must be one of",
    },
    { why: "makes a typo", hook: () => ({ message: [] }) as never, says: "write messages" },
  ])("ends the run before anything is sent when it $why", async ({ hook, says }) => {
    const { result, requests, agent } = await runWith({ name: "scan", beforeRequest: hook }, [text("ok")], {
      envSettings: { tools: { timeout: 50 } },
    });
    expect(result).toMatchObject({ status: "failed", kind: "other", exitCode: 1, requests: 0 });
    expect(result.error).toMatch(/^Nothing was sent: the hook beforeRequest of "scan"/);
    expect(result.error).toContain(says);
    expect(requests).toHaveLength(0);
    expect(shown(agent.context.items())).toEqual(["hello"]);
  });

  it("is not waited for once the run is cancelled, and nothing is sent", async () => {
    const { stream, requests } = scripted(text("ok"));
    const { agent } = await openAgent({
      stream,
      interceptors: [
        {
          beforeRequest: () => {
            setTimeout(() => agent.cancel(), 5);
            return hang();
          },
        },
      ],
    });
    expect(await ask(agent)).toMatchObject({ kind: "cancelled", requests: 0 });
    expect(requests).toHaveLength(0);
  });
});

describe("a hook after a turn", () => {
  it("ends the run well, and what is queued stays queued", async () => {
    const turns: FinishedTurn[] = [];
    const { result, agent, requests } = await runWith({
      name: "enough",
      stopAfterTurn: (turn) => {
        turns.push(turn);
        turn.agent.send("unheard");
        turn.agent.send("unheard too", { as: "followUp" });
        return true;
      },
    });
    expect(result).toMatchObject({ status: "completed", kind: "success", exitCode: 0, stoppedBy: "enough" });
    expect(requests).toHaveLength(1);
    expect(agent.pending).toBe(2);
    expect(turns).toMatchObject([
      { message: { content: [{ type: "toolCall" }] }, results: [{ callId: "agent-1" }], requests: 1 },
    ]);
  });

  it("is asked at the end too, and the first who says so ends it", async () => {
    const heard: string[] = [];
    const stop = (name: string, answer: boolean): Interceptor => ({
      name,
      stopAfterTurn: ({ message }) => {
        heard.push(`${name} ${contentText(message)}`);
        return answer;
      },
    });
    const { stream } = scripted(text("ok"));
    const { agent } = await openAgent({
      stream,
      interceptors: [stop("a", false), stop("b", true), stop("c", true)],
    });
    agent.send("more", { as: "followUp" });
    expect(await ask(agent)).toMatchObject({ kind: "success", stoppedBy: "b", requests: 1 });
    expect(heard).toEqual(["a ok", "b ok"]);
    expect(agent.pending).toBe(1);
  });

  it("takes what was sent while it thought into account", async () => {
    const { result, requests } = await runWith(
      {
        stopAfterTurn: async ({ agent, requests: sent }) => {
          await sleep(5);
          if (sent === 1) agent.send("one more");
          return false;
        },
      },
      [text("first"), text("second")],
    );
    expect(result).toMatchObject({ requests: 2, message: { content: [{ text: "second" }] } });
    expect(shown(requests[1]?.context ?? [])).toEqual(["hello", "first", "one more"]);
  });

  it.each([
    { why: "throws", hook: () => Promise.reject(new Error("oh")) },
    { why: "hangs", hook: hang },
    { why: "says neither yes nor no", hook: () => "yes" as never },
  ])("is reported and counts as no when it $why", async ({ hook }) => {
    const { result, events } = await runWith({ stopAfterTurn: hook }, [text("ok")], {
      envSettings: { tools: { timeout: 50 } },
    });
    expect(result).toMatchObject({ kind: "success" });
    expect(result).not.toHaveProperty("stoppedBy");
    expect(events.filter(({ type }) => type === "notice")).toHaveLength(1);
  });

  it("is not waited for once the run is cancelled", async () => {
    const { stream } = scripted(calls([{ name: "a" }]));
    const { agent } = await openAgent({
      stream,
      toolDescriptions,
      interceptors: [
        {
          stopAfterTurn: () => {
            agent.cancel();
            return hang();
          },
        },
      ],
    });
    agent.send("unheard", { as: "followUp" });
    expect(await ask(agent)).toMatchObject({ kind: "cancelled", requests: 1 });
    expect(agent.pending).toBe(1);
  });
});

describe("a hook before the next turn", () => {
  it("changes how hard the model thinks for the rest of the run", async () => {
    const { requests, agent } = await runWith(
      { prepareNextTurn: ({ requests: sent }) => (sent === 1 ? { thinking: "high" } : undefined) },
      [calls([{ name: "a" }]), calls([{ name: "a", args: { n: 2 } }]), text("ok")],
    );
    expect(requests.map(({ options }) => options.thinking)).toEqual([undefined, "high", "high"]);
    await ask(agent);
    expect(requests.at(-1)?.options.thinking).toBeUndefined();
  });

  it("is not asked when nothing follows", async () => {
    let asked = 0;
    await runWith({
      prepareNextTurn: () => {
        asked += 1;
      },
    });
    expect(asked).toBe(1);
  });

  it.each([
    { why: "throws", hook: () => Promise.reject(new Error("oh")) },
    { why: "hangs", hook: hang },
    { why: "names no level", hook: () => ({ thinking: "hard" }) as never },
    { why: "names a model that is none", hook: () => ({ model: "gpt" }) },
  ])("is reported and changes nothing when it $why", async ({ hook }) => {
    const { result, events, requests } = await runWith({ prepareNextTurn: hook }, undefined, {
      envSettings: { tools: { timeout: 50 } },
    });
    expect(result).toMatchObject({ kind: "success", requests: 2 });
    expect(requests[1]?.options).toMatchObject({ model: "stream/model" });
    expect(events.filter(({ type }) => type === "notice")).toHaveLength(1);
  });

  it("lets what steers come before what follows, also when it came while the hook thought", async () => {
    const { stream, requests } = scripted(text("first"), text("second"), text("third"));
    const { agent } = await openAgent({
      stream,
      interceptors: [
        {
          prepareNextTurn: ({ requests: sent }) => {
            if (sent === 1) agent.send("steered");
          },
        },
      ],
    });
    agent.send("followed", { as: "followUp" });
    await ask(agent);
    expect(requests.map(({ context }) => shown(context).at(-1))).toEqual(["hello", "steered", "followed"]);
  });

  it("ends the run well when what waited was taken back meanwhile", async () => {
    const { stream, requests } = scripted(text("first"));
    const { agent } = await openAgent({
      stream,
      interceptors: [{ prepareNextTurn: () => void agent.pendingPop() }],
    });
    agent.send("never mind", { as: "followUp" });
    expect(await ask(agent)).toMatchObject({ kind: "success", requests: 1 });
    expect(requests).toHaveLength(1);
  });
});
