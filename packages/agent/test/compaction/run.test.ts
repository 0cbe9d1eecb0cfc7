import { contentText, type Message } from "@ashlar/context";
import type { ToolDescriptions } from "@ashlar/context/tool";
import { describe, expect, it } from "vitest";
import { chat, prose } from "../support/long-talk.js";
import { ask, openAgent } from "../support/open-agent.js";
import {
  calls,
  failure,
  type SeenRequest,
  scripted,
  type Turn,
  text,
  USAGE,
} from "../support/scripted-stream.js";

const WINDOW = 10_000;
const policy = (rest: object = {}): { context: object } => ({
  context: { assumedWindow: WINDOW, turn: 1, ...rest },
});
const isSummaryRequest = ({ context }: SeenRequest): boolean =>
  contentText(context[0] as Message).startsWith("You write summaries");
/** Answers requests for a summary by themselves, so that a script holds the conversation only. */
const summarising =
  (turn: Turn, summary: Turn = text("SUMMARY")): Turn =>
  (request) => {
    const chosen = isSummaryRequest(request) ? summary : turn;
    return typeof chosen === "function" ? chosen(request) : chosen;
  };
const textOf = (context: readonly object[]): string =>
  context.map((item) => contentText(item as Message)).join("\n");
const overflow = failure({
  kind: "provider",
  status: 400,
  error: "too long",
  contextOverflow: { needed: 10_500, window: WINDOW },
});
const fetch: ToolDescriptions = {
  fetch: {
    description: "Fetches.",
    safe: true,
    inputSchema: { type: "object" },
    fn: (args: { n: number }) => prose(`page-${args.n}`, 900),
  },
};

describe("before a request that has reached the threshold", () => {
  it("the conversation is compacted once, and the request goes out", async () => {
    const { stream, requests } = scripted(summarising(text("answer")));
    const { agent, events } = await openAgent({ stream, context: chat(1_300), envSettings: policy() });
    const result = await agent.run();
    expect(result).toMatchObject({
      kind: "success",
      requests: 2,
      usage: { inputTokens: 20, outputTokens: 4 },
    });
    expect(requests.map(isSummaryRequest)).toEqual([true, false]);
    expect(textOf(requests[1]?.context ?? [])).toContain("SUMMARY");
    expect(textOf(requests[1]?.context ?? [])).toContain("second-question stone");
    expect(events.filter(({ type }) => type === "compaction")).toMatchObject([
      { phase: "start", reason: "threshold" },
      { phase: "end", usage: USAGE },
    ]);
    // What the summary is made of reaches nobody as an answer.
    expect(events.filter(({ type }) => type === "text_delta")).toEqual([
      { type: "text_delta", contentIndex: 0, text: "answer" },
    ]);
  });

  it.each([
    { why: "the absolute limit is reached first", settings: { autocompact: 0.9, autocompactMax: 4_000 } },
    { why: "the share is written in percent", settings: { autocompact: 40 } },
  ])("it is when $why", async ({ settings }) => {
    const { stream, requests } = scripted(summarising(text("answer")));
    const { agent } = await openAgent({ stream, context: chat(1_300), envSettings: policy(settings) });
    await agent.run();
    expect(requests.map(isSummaryRequest)).toEqual([true, false]);
  });

  it.each([
    { why: "it is off", settings: { autocompact: false } },
    { why: "the share is nothing", settings: { autocompact: 0 } },
    { why: "the share is the whole", settings: { autocompact: 1 } },
    { why: "the threshold is higher", settings: { autocompact: 0.8, autocompactMax: 0 } },
  ])("it is not when $why", async ({ settings }) => {
    const { stream, requests } = scripted(summarising(text("answer")));
    const { agent } = await openAgent({ stream, context: chat(1_300), envSettings: policy(settings) });
    await agent.run();
    expect(requests.map(isSummaryRequest)).toEqual([false]);
  });

  it("a model's own setting wins", async () => {
    const { stream, requests } = scripted(summarising(text("answer")));
    const envSettings = {
      ...policy(),
      providers: {
        stream: { context: { autocompact: 0.3 }, models: { model: { context: { autocompact: 0.9 } } } },
      },
    };
    const { agent } = await openAgent({ stream, context: chat(1_300), envSettings });
    await agent.run();
    expect(requests.map(isSummaryRequest)).toEqual([false]);
  });

  it("a long turn goes on through several compactions, and its request stays in the user's own words", async () => {
    const { stream, requests } = scripted(
      summarising(({ index }) =>
        index > 40 ? text("done") : calls([{ name: "fetch", args: { n: index } }]),
      ),
    );
    const envSettings = policy({ turn: 0.4 });
    const { agent, events } = await openAgent({ stream, toolDescriptions: fetch, envSettings });
    expect(await ask(agent, "Build the northern wall")).toMatchObject({ kind: "success" });
    const ends = events.filter((event) => event.type === "compaction" && event.phase === "end");
    expect(ends.length).toBeGreaterThan(3);
    const last = textOf(requests.at(-1)?.context ?? []);
    expect(last.split("Build the northern wall")).toHaveLength(2);
    expect(last.split("SUMMARY")).toHaveLength(2);
  });

  it("a failed summary does not keep the run from going on", async () => {
    const broken = failure({ kind: "provider", error: "no summaries today" });
    const { stream, requests } = scripted(summarising(text("answer"), broken));
    const { agent, events } = await openAgent({ stream, context: chat(1_300), envSettings: policy() });
    const items = agent.context.items();
    expect(await agent.run()).toMatchObject({ kind: "success", requests: 2 });
    expect(agent.context.items().slice(0, items.length)).toEqual(items);
    expect(events.filter(({ type }) => type === "compaction").at(-1)).toMatchObject({
      phase: "failed",
      error: "no summaries today",
    });
    expect(requests).toHaveLength(2);
  });

  it("a failed summary is named when the context has no room left", async () => {
    const broken = failure({ kind: "provider", error: "no summaries today" });
    const { stream } = scripted(summarising(text("answer"), broken));
    const { agent } = await openAgent({ stream, context: chat(2_900), envSettings: policy() });
    const result = await agent.run();
    expect(result).toMatchObject({ kind: "budget", stop: { rule: "context" } });
    expect(result.error).toContain("no summaries today");
  });

  it("the budget counts the request", async () => {
    const { stream } = scripted(summarising(text("answer")));
    const { agent } = await openAgent({
      stream,
      context: chat(1_300),
      envSettings: policy(),
      budget: { requests: 1 },
    });
    expect(await agent.run()).toMatchObject({
      kind: "budget",
      requests: 1,
      stop: { rule: "requests", used: 1 },
    });
  });

  it("a cancel ends the run and leaves the conversation as it was", async () => {
    const { agent, events } = await openAgent({
      context: chat(1_300),
      envSettings: policy(),
      stream: async (_context, _sink, { signal }) => {
        agent.cancel();
        return { type: "error", kind: "cancelled", error: `aborted: ${signal.aborted}` };
      },
    });
    const before = agent.context.items();
    expect(await agent.run()).toMatchObject({ kind: "cancelled", exitCode: 130 });
    expect(agent.context.items()).toBe(before);
    expect(events.map(({ type }) => type)).toEqual(["compaction", "compaction", "result"]);
  });

  it("what is sent meanwhile waits for the request after", async () => {
    const { stream, requests } = scripted(
      summarising(text("answer"), () => {
        opened.agent.send("and mind the gate");
        return text("SUMMARY");
      }),
    );
    const opened = await openAgent({ stream, context: chat(1_300), envSettings: policy() });
    expect(await opened.agent.run()).toMatchObject({ kind: "success", requests: 3 });
    const asked = requests.map(({ context }) => textOf(context).includes("mind the gate"));
    expect(asked).toEqual([false, false, true]);
  });

  it("a failed request for a summary is sent again", async () => {
    const { stream, requests } = scripted(
      summarising(text("answer"), ({ index }) => (index === 0 ? failure() : text("SUMMARY"))),
    );
    const { agent, events } = await openAgent({
      stream,
      context: chat(1_300),
      envSettings: { ...policy(), retry: { base: 1 } },
    });
    expect(await agent.run()).toMatchObject({ kind: "success", requests: 3 });
    expect(requests.map(isSummaryRequest)).toEqual([true, true, false]);
    expect(events.some((event) => event.type === "notice" && event.message.includes("sent again"))).toBe(
      true,
    );
  });
});

describe("after a request that did not fit", () => {
  it("the conversation is compacted once and the request is sent again", async () => {
    const { stream, requests } = scripted(
      summarising(({ index }) => (index === 0 ? overflow : text("answer"))),
    );
    const { agent, events } = await openAgent({
      stream,
      context: chat(1_500),
      envSettings: policy({ autocompact: 0.8 }),
    });
    expect(await agent.run()).toMatchObject({ kind: "success", requests: 3 });
    expect(requests.map(isSummaryRequest)).toEqual([false, true, false]);
    const own = events.filter(({ type }) => !/^(?:start|text_.*)$/.test(type));
    expect(own.map(({ type }) => type)).toEqual(["error", "compaction", "compaction", "done", "result"]);
  });

  it("a second overflow is an error with both numbers", async () => {
    const { stream, requests } = scripted(summarising(overflow));
    const { agent } = await openAgent({
      stream,
      context: chat(1_500),
      envSettings: policy({ autocompact: 0.8 }),
    });
    const result = await agent.run();
    expect(result).toMatchObject({ kind: "provider", exitCode: 4, httpStatus: 400, requests: 3 });
    expect(result.error).toMatch(/even after compaction.*about 10500 tokens.*has 10000.*too long/);
    expect(requests).toHaveLength(3);
  });

  it("a message larger than the window is named with its position and size", async () => {
    const { stream, requests } = scripted(summarising(overflow));
    const { agent } = await openAgent({ stream, envSettings: policy({ assumedWindow: 1_000_000 }) });
    const result = await ask(agent, prose("endless", 11_000));
    expect(result).toMatchObject({ kind: "provider", exitCode: 4 });
    expect(result.error).toMatch(/The user message at position 0 takes about 1[12]\d\d\d tokens by itself/);
    expect(requests).toHaveLength(1);
  });

  it("a message that takes more tokens than we thought is measured by what the provider said", async () => {
    const dense = failure({
      kind: "provider",
      error: "too long",
      contextOverflow: { needed: 30_000, window: 16_000 },
    });
    const { stream, requests } = scripted(summarising(dense));
    const { agent } = await openAgent({ stream, envSettings: policy({ assumedWindow: 1_000_000 }) });
    const result = await ask(agent, prose("dense", 10_000));
    expect(result.error).toMatch(/user message at position 0 takes about 30\d\d\d|about 29\d\d\d/);
    expect(requests).toHaveLength(1);
  });

  it("the conversation is compacted also when the provider gave no numbers", async () => {
    const mute = failure({ kind: "provider", error: "too long", contextOverflow: {} });
    const { stream, requests } = scripted(summarising(({ index }) => (index === 0 ? mute : text("answer"))));
    const { agent } = await openAgent({
      stream,
      context: chat(1_500),
      envSettings: policy({ assumedWindow: 200_000 }),
    });
    expect(await agent.run()).toMatchObject({ kind: "success" });
    expect(requests.map(isSummaryRequest)).toEqual([false, true, false]);
  });

  it("refused credentials end it where nothing else is stored", async () => {
    const refused = failure({ kind: "auth", status: 401, error: "who are you?" });
    const { stream, requests } = scripted(
      summarising(({ index }) => (index === 0 ? overflow : text("answer")), refused),
    );
    const { agent } = await openAgent({
      stream,
      context: chat(1_500),
      envSettings: policy({ autocompact: 0.8 }),
    });
    const result = await agent.run();
    expect(result).toMatchObject({ kind: "provider", requests: 2 });
    expect(result.error).toContain("who are you?");
    expect(requests).toHaveLength(2);
  });

  it("such a message is not even sent where the window is known", async () => {
    const { stream, requests } = scripted(summarising(overflow));
    const { agent } = await openAgent({
      stream,
      context: chat(1_500),
      envSettings: policy({ autocompact: 0.8 }),
    });
    const result = await ask(agent, prose("endless", 11_000));
    expect(result).toMatchObject({ kind: "budget", stop: { rule: "context" } });
    expect(result.error).toMatch(/The user message at position 7 takes about 1[12]\d\d\d tokens by itself/);
    expect(requests).toHaveLength(0);
  });

  it("nothing is compacted unasked where it is switched off, and the error says what would help", async () => {
    const { stream, requests } = scripted(summarising(overflow));
    const { agent } = await openAgent({
      stream,
      context: chat(1_500),
      envSettings: policy({ autocompact: false }),
    });
    const result = await agent.run();
    expect(result).toMatchObject({ kind: "provider", requests: 1 });
    expect(result.error).toMatch(/10500 tokens.*has 10000.*context\.autocompact/);
    expect(requests).toHaveLength(1);
  });

  it("a failed summary is said beside the numbers", async () => {
    const broken = failure({ kind: "provider", error: "no summaries today" });
    const { stream } = scripted(summarising(overflow, broken));
    const { agent } = await openAgent({
      stream,
      context: chat(1_500),
      envSettings: policy({ autocompact: 0.8 }),
    });
    const before = agent.context.items();
    const result = await agent.run();
    expect(result).toMatchObject({ kind: "provider", requests: 2 });
    expect(result.error).toMatch(/10500.*10000.*no summaries today/);
    expect(agent.context.items()).toEqual(before);
  });

  it("a summary request that does not fit either is made smaller", async () => {
    const { stream, requests } = scripted(
      summarising(
        ({ index }) => (index === 0 ? overflow : text("answer")),
        ({ context }) => (textOf(context).length > 6_000 ? overflow : text("SUMMARY")),
      ),
    );
    const { agent } = await openAgent({
      stream,
      context: chat(1_500),
      envSettings: policy({ autocompact: 0.8 }),
    });
    expect(await agent.run()).toMatchObject({ kind: "success" });
    expect(requests.filter(isSummaryRequest).length).toBeGreaterThan(2);
  });
});
