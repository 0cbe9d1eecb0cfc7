import {
  Context,
  type JournalEvent,
  messageAssistant,
  messageToolResult,
  messageUser,
  reduceJournal,
  type SessionEntry,
} from "@ashlar/context";
import { describe, expect, it } from "vitest";
import { failureOf, placeOf } from "../support/failure.js";

const entriesOf = (events: readonly JournalEvent[]): readonly SessionEntry[] =>
  events.map((event, index) => ({
    id: `j${index}`,
    seq: index + 1,
    parent: null,
    at: index,
    kind: "journal",
    event,
  }));
const started = (operation: string): JournalEvent => ({
  type: "operation_started",
  operation,
  purpose: "run",
});
const finished = (operation: string): JournalEvent => ({
  type: "operation_finished",
  operation,
  outcome: "completed",
});
const step = (number: number, attempt: number): JournalEvent => ({
  type: "step_attempt",
  operation: "o",
  step: number,
  attempt,
});
const tool = (callId: string, replay: "never" | "safe" = "never"): JournalEvent => ({
  type: "tool_started",
  operation: "o",
  callId,
  name: "t",
  replay,
});

describe("the journal", () => {
  it.each([
    { why: "nothing was started", events: [], open: undefined, problems: [] },
    {
      why: "all is finished",
      events: [started("o"), step(1, 1), finished("o")],
      open: undefined,
      problems: [],
    },
    {
      why: "it ends in the middle",
      events: [started("o"), step(1, 1), step(1, 2), step(2, 1), tool("k")],
      open: "o",
      problems: [],
    },
    {
      why: "a safe call ran twice",
      events: [started("o"), tool("k", "safe"), tool("k", "safe")],
      open: "o",
      problems: [],
    },
    {
      why: "two operations are open",
      events: [started("o"), started("p")],
      open: "p",
      problems: ["second_operation"],
    },
    {
      why: "an id is used twice",
      events: [started("o"), finished("o"), started("o")],
      open: undefined,
      problems: ["operation_reused"],
    },
    { why: "a finish of nothing", events: [finished("o")], open: undefined, problems: ["unknown_operation"] },
    {
      why: "a line after the finish",
      events: [started("o"), finished("o"), step(1, 1)],
      open: undefined,
      problems: ["after_finish"],
    },
    {
      why: "an attempt is left out",
      events: [started("o"), step(1, 1), step(1, 3)],
      open: "o",
      problems: ["attempt_order"],
    },
    { why: "a step is left out", events: [started("o"), step(2, 1)], open: "o", problems: ["attempt_order"] },
    {
      why: "an unsafe call ran twice",
      events: [started("o"), tool("k"), tool("k")],
      open: "o",
      problems: ["call_repeated"],
    },
  ])("says what is open and what is corrupt: $why", ({ events, open, problems }) => {
    const state = reduceJournal(entriesOf(events));
    expect(state.open?.id).toBe(open);
    expect(state.problems.map(({ reason }) => reason)).toEqual(problems);
  });

  it("refuses what is no event by place", () => {
    const context = new Context();
    const wrong = (event: unknown) => placeOf(() => context.journal(JSON.parse(JSON.stringify(event))));
    expect(wrong({ type: "hologram" })).toBe("event.type");
    expect(wrong({ type: "step_attempt", operation: "o", step: -1, attempt: 1 })).toBe("event.step");
    expect(
      wrong({
        type: "usage",
        cause: "assistant",
        usage: { inputTokens: null, outputTokens: 1, source: "provider" },
      }),
    ).toBe("event.usage.inputTokens");
    expect(wrong({ type: "operation_started", operation: "o", purpose: "fun" })).toBe("event.purpose");
  });

  it("is not part of undo, and does not join one step to another", () => {
    const context = new Context({ items: [messageUser("a")] });
    context.update((same) => {
      same.journal(started("o"));
      same.append(messageAssistant("b"));
      return true;
    });
    context.journal(
      step(1, 1).type === "step_attempt"
        ? { type: "step_attempt", operation: "o", step: 1, attempt: 1 }
        : started("x"),
    );
    context.undo();
    expect(context.items()).toEqual([messageUser("a")]);
    context.undo();
    expect(context.length).toBe(0);
    expect(context.journalState.open?.step).toBe(1);
  });
});

describe("a resume plan", () => {
  const asking = messageAssistant([
    ...["k1", "k2", "k3", "k4", "k5"].map(
      (callId) =>
        ({ type: "toolCall", callId, name: callId === "k3" ? "gone" : "t", arguments: {} }) as const,
    ),
    { type: "toolCall", callId: "p", name: "web", arguments: {}, executed: true },
  ]);

  function interruptedRun(): Context {
    const context = new Context({ items: [messageUser("go"), asking] });
    context.journal(started("o"));
    context.journal(tool("k1", "safe"));
    context.journal(tool("k2", "never"));
    context.journal(tool("k3", "safe"));
    context.journal(tool("k5", "safe"));
    context.append(messageToolResult({ callId: "k5", content: "done" }));
    return context;
  }

  it("repeats what was and is safe, closes the rest, leaves results and the provider's calls alone", () => {
    const { repeat, close } = interruptedRun().resumePlan((name) => (name === "t" ? "safe" : undefined));
    expect(repeat.map(({ callId }) => callId)).toEqual(["k1", "k4"]);
    expect(close.map(({ callId }) => callId)).toEqual(["k2", "k3"]);
    for (const message of close) expect(message).toMatchObject({ error: true, type: 4 });
    expect(JSON.stringify(close[0])).toContain("may have partly run");
  });

  it("says of a call that never began that it did not run", () => {
    const { close } = interruptedRun().resumePlan(() => "never");
    expect(JSON.stringify(close.find(({ callId }) => callId === "k4"))).toContain("did not run");
  });

  it("leaves nothing open once it was carried out", () => {
    const context = interruptedRun();
    for (const message of context.resumePlan(() => "never").close) context.append(message);
    expect(context.resumePlan(() => "never")).toEqual({ repeat: [], close: [] });
    expect(failureOf(() => context.append(messageToolResult({ callId: "k2", content: "late" }))).kind).toBe(
      "usage",
    );
  });
});
