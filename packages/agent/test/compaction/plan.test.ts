import {
  createSummaryMessage,
  type PlanLimits,
  planCompaction,
  readSummaryMessage,
} from "@ashlar/agent/loop";
import {
  Context,
  type ContextItem,
  contentText,
  estimateTokens,
  isMessage,
  messageAssistant,
  messageSystem,
  messageUser,
  requestView,
} from "@ashlar/context";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { calling, prose, resultOf, talk } from "../support/long-talk.js";
import { pairingProblems } from "../support/well-paired.js";

const limits = (keep: number, rest: Partial<PlanLimits> = {}): PlanLimits => ({
  keep,
  least: 1,
  room: Number.POSITIVE_INFINITY,
  carried: 100,
  ...rest,
});
const texts = (items: readonly ContextItem[]): string => items.filter(isMessage).map(contentText).join("\n");

describe("a plan", () => {
  it.each([
    { why: "everything fits into the tail", keep: 1e6, firstKept: undefined },
    { why: "all turns but the first fit", keep: 1_300, firstKept: 7 },
    { why: "the last turn but one is too long to stay whole", keep: 900, firstKept: 8 },
    { why: "less fits than what no response followed", keep: 500, firstKept: 8 },
    { why: "nothing fits", keep: 0, firstKept: 8 },
  ])("cuts at $firstKept when $why", ({ keep, firstKept }) => {
    expect(planCompaction(talk(), limits(keep))?.firstKept).toBe(firstKept);
  });

  it("keeps calls and results together that no response followed yet, however long they are", () => {
    const items = talk().slice(0, 6);
    expect(planCompaction(items, limits(0))?.firstKept).toBe(2);
    const open = [...talk().slice(0, 7), messageUser("go on"), calling("X", "Y"), resultOf("X", 10)];
    expect(planCompaction(open, limits(0))?.firstKept).toBe(8);
  });

  it("hides a conversation that is answered as a whole when nothing is to be kept", () => {
    const items = talk().slice(0, 7);
    expect(planCompaction(items, limits(0))).toMatchObject({ firstKept: 7, turn: [], request: [] });
  });

  it("splits a turn that is too long, and carries the words that began it", () => {
    const items = [
      ...talk().slice(0, 7),
      messageUser("Mend the gate."),
      ...talk().slice(2, 6),
      calling("E"),
      resultOf("E", 50),
    ];
    const plan = planCompaction(items, limits(100));
    expect(plan?.firstKept).toBe(12);
    expect(plan?.history).toEqual(items.slice(1, 7));
    expect(plan?.turn).toEqual(items.slice(7, 12));
    expect(plan?.request).toEqual([{ type: "text", text: "Mend the gate." }]);
  });

  it("makes no summary of a turn of which only its words are hidden, for they are carried", () => {
    const items = [...talk().slice(0, 7), messageUser("Mend the gate."), calling("D"), resultOf("D", 900)];
    const plan = planCompaction(items, limits(100));
    expect(plan).toMatchObject({ firstKept: 8, turn: [], request: [{ text: "Mend the gate." }] });
    expect(plan?.history).toEqual(items.slice(1, 7));
    expect(planCompaction(items.slice(7), limits(100))).toBeUndefined();
  });

  it("bounds the words it carries", () => {
    const items = [messageUser(prose("long", 5_000)), ...talk().slice(2, 6), calling("E"), resultOf("E", 50)];
    const [block] = planCompaction(items, limits(100))?.request ?? [];
    expect(estimateTokens([messageUser(block === undefined ? "" : [block])])).toBeLessThan(150);
    expect(block).toMatchObject({ text: expect.stringContaining("characters left out") });
  });

  it("takes an earlier summary up, with its files and the words it carries", () => {
    const files = { read: ["old.md"], changed: ["wall.ts"] };
    const request = [{ type: "text", text: "Mend the gate." }] as const;
    const earlier = createSummaryMessage({ text: "EARLIER", files, request });
    const items = [
      messageSystem("You build walls."),
      earlier,
      ...talk().slice(2, 6),
      calling("E"),
      resultOf("E", 50),
    ];
    const plan = planCompaction(items, limits(100));
    expect(plan?.earlier).toEqual({ text: "EARLIER", files, request });
    expect(plan).toMatchObject({ history: [], request, files: { read: ["old.md", "A.md", "B.md", "C.md"] } });
    expect(texts(plan?.turn ?? [])).not.toContain("EARLIER");
  });

  it("is not worth a request when little is hidden, or when what stays is too large", () => {
    expect(planCompaction(talk(), limits(0, { least: 1e6 }))).toBeUndefined();
    expect(planCompaction(talk(), limits(0, { room: 300 }))).toBeUndefined();
    expect(planCompaction([], limits(0))).toBeUndefined();
    const summary = createSummaryMessage({ text: "S", files: { read: [], changed: [] }, request: [] });
    expect(planCompaction([summary, messageUser("hi")], limits(0))).toBeUndefined();
  });

  it("lists files by what successful calls did with them", () => {
    const call = (callId: string, name: string, path: unknown) =>
      messageAssistant([{ type: "toolCall", callId, name, arguments: { path } }]);
    const result = (callId: string, error = false): ContextItem => ({
      type: 4,
      callId,
      content: [{ type: "text", text: "ok" }],
      ...(error && { error }),
    });
    const items = [
      messageUser("go"),
      ...[call("a", "read", "a.md"), result("a"), call("b", "read", "b.md"), result("b")],
      ...[call("c", "edit", "a.md"), result("c"), call("d", "write", "d.md"), result("d", true)],
      ...[call("e", "read", 7), result("e"), call("f", "toString", "f.md"), result("f")],
      messageAssistant("done"),
    ];
    expect(planCompaction(items, limits(0))?.files).toEqual({ read: ["b.md"], changed: ["a.md"] });
  });
});

it("reads back the summary message it makes, and no other", () => {
  const parts = {
    text: "## Intent\nA wall.",
    files: { read: ["a"], changed: [] },
    request: [{ type: "image", content: "aGk=" }] as const,
  };
  const context = new Context({ items: [createSummaryMessage(parts)] });
  expect(readSummaryMessage(context.at(0) ?? messageUser(""))).toEqual(parts);
  const two = [messageUser("one"), messageUser("two")].flatMap(({ content }) => content);
  const folded = new Context({ items: [createSummaryMessage({ ...parts, request: two })] }).at(0);
  expect(readSummaryMessage(folded ?? messageUser(""))?.request).toEqual([
    { type: "text", text: "one\n\ntwo" },
  ]);
  expect(readSummaryMessage(messageUser("hi"))).toBeUndefined();
  expect(readSummaryMessage({ ...messageUser("hi"), compaction: {} })).toBeUndefined();
});

/** Turns as loops, crashes and imports leave them; ids are unique. */
const turn = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("user"), size: fc.nat(80) }),
    fc.record({ kind: fc.constant("say"), size: fc.nat(80) }),
    fc.record({
      kind: fc.constant("batch"),
      calls: fc.integer({ min: 1, max: 3 }),
      answered: fc.nat(3),
      size: fc.nat(80),
    }),
    fc.record({ kind: fc.constant("record"), size: fc.nat(3) }),
    fc.record({ kind: fc.constant("system"), size: fc.nat(20) }),
  ),
  { maxLength: 25 },
);

function conversation(
  parts: readonly { kind: string; size: number; calls?: number; answered?: number }[],
): ContextItem[] {
  return parts.flatMap(({ kind, size, calls = 0, answered = 0 }, index): ContextItem[] => {
    if (kind === "record") return [{ type: `tool:state${size}`, value: index }];
    if (kind === "system") return [messageSystem(prose(`s${index}`, size + 1))];
    if (kind === "user") return [messageUser(prose(`u${index}`, size + 1))];
    if (kind === "say") return [messageAssistant(prose(`a${index}`, size + 1))];
    const ids = Array.from({ length: calls }, (_, call) => `c${index}-${call}`);
    return [calling(...ids), ...ids.slice(0, answered).map((id) => resultOf(id, size + 1))];
  });
}

it("leaves a request that is well paired and smaller, whatever the conversation and wherever the cut", () => {
  fc.assert(
    fc.property(turn, fc.nat(800), fc.nat(200), (parts, keep, again) => {
      const context = new Context({ items: conversation(parts) });
      for (const size of [keep, again]) {
        const before = context.items();
        const plan = planCompaction(before, limits(size, { carried: 1e6 }));
        if (plan === undefined) return;
        const { firstKept, files, request } = plan;
        const summary = createSummaryMessage({ text: "S", files, request });
        if (estimateTokens([summary]) >= plan.hiddenTokens) return;
        context.compact({ firstKept, summary });
        const view = requestView(context.items());
        expect(pairingProblems(view)).toEqual([]);
        expect(estimateTokens(view)).toBeLessThan(estimateTokens(requestView(before)));
        expectTail(before, context.items());
        if (before.slice(firstKept).some(isMessage)) expectLastWords(before, context.items());
        expect(
          context
            .items()
            .filter((item) => item.type === "tool:state0")
            .at(-1),
        ).toEqual(before.filter((item) => item.type === "tool:state0").at(-1));
        context.append(messageUser("and then?"), { merge: false });
        context.append(messageAssistant(prose("then", 300)));
      }
    }),
    { numRuns: 500 },
  );
});

/** What no response followed is still there, and so is each call whose result is. */
function expectTail(before: readonly ContextItem[], after: readonly ContextItem[]): void {
  const answer = before.findLastIndex(({ type }) => type === 3);
  const waiting = before.slice(answer + 1).filter(({ type }) => type === 2 || type === 4);
  expect(after).toEqual(
    expect.arrayContaining(waiting.filter((item) => readSummaryMessage(item) === undefined)),
  );
}

/** The words that a turn under way began with are there as they were written. */
function expectLastWords(before: readonly ContextItem[], after: readonly ContextItem[]): void {
  const own = (item: ContextItem): boolean => item.type === 2 && readSummaryMessage(item) === undefined;
  const last = before.findLast(own);
  if (last !== undefined) expect(texts(after)).toContain(texts([last]));
}
