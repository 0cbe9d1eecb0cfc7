import {
  Context,
  type DamageReason,
  EntryMender,
  messageUser,
  type SessionDamage,
  type SessionEntry,
} from "@ashlar/context";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const entry = (
  seq: number,
  parent: string | null = seq === 1 ? null : `e${seq - 1}`,
  more: object = {},
): SessionEntry => ({
  id: `e${seq}`,
  seq,
  parent,
  at: seq,
  kind: "message",
  merge: false,
  message: messageUser(`t${seq}`),
  ...more,
});

function mended(values: readonly unknown[]): { entries: SessionEntry[]; damage: SessionDamage[] } {
  const damage: SessionDamage[] = [];
  const mender = new EntryMender((found) => damage.push(found));
  const entries = values.flatMap((value, index) => mender.add(value, () => `line ${index + 1}`));
  return { entries: [...entries, ...mender.end()], damage };
}

function textsOf(entries: readonly SessionEntry[]): readonly string[] {
  return new Context({ entries })
    .messages()
    .flatMap(({ content }) => content.map((block) => String("text" in block ? block.text : "")));
}

const cases: readonly {
  readonly why: string;
  readonly values: readonly unknown[];
  readonly texts: readonly string[];
  readonly damage: readonly (readonly [DamageReason, string])[];
}[] = [
  { why: "nothing is wrong", values: [entry(1), entry(2)], texts: ["t1", "t2"], damage: [] },
  {
    why: "an entry in the middle is lost",
    values: [entry(1), entry(3), entry(4)],
    texts: ["t1", "t3", "t4"],
    damage: [
      ["missing", "line 2"],
      ["orphan", "line 2"],
    ],
  },
  {
    why: "an entry in the middle is of no known kind: its children grow from its parent",
    values: [entry(1), entry(2), { id: "x", seq: 3, parent: "e1", kind: "hologram", at: 1 }, entry(4, "x")],
    texts: ["t1", "t4"],
    damage: [
      ["malformed", "line 3"],
      ["missing", "line 4"],
      ["orphan", "line 4"],
    ],
  },
  {
    why: "lines are swapped",
    values: [entry(2), entry(1), entry(4), entry(3)],
    texts: ["t1", "t2", "t3", "t4"],
    damage: [],
  },
  {
    why: "a line is there twice",
    values: [entry(1), entry(2), entry(2), entry(3)],
    texts: ["t1", "t2", "t3"],
    damage: [["duplicate", "line 3"]],
  },
  {
    why: "two writers took the same number",
    values: [entry(1), entry(2), { ...entry(2), id: "other", parent: "e1" }, entry(3, "other")],
    texts: ["t1", "t2", "t3"],
    damage: [["disorder", "line 3"]],
  },
  {
    why: "parents form a cycle",
    values: [entry(1, "e2"), entry(2, "e1"), entry(3, "e3")],
    texts: ["t1", "t2", "t3"],
    damage: [
      ["orphan", "line 1"],
      ["orphan", "line 3"],
    ],
  },
  {
    why: "a move leads to an entry that is lost",
    values: [
      entry(1),
      { id: "l", seq: 2, parent: "e1", at: 1, kind: "leaf", to: "gone", reason: "move" },
      entry(3, "e1"),
    ],
    texts: ["t1", "t3"],
    damage: [["orphan", "line 2"]],
  },
  {
    why: "it is not about entries at all",
    values: [5, null, "x", [], {}],
    texts: [],
    damage: [1, 2, 3, 4, 5].map((line) => ["malformed", `line ${line}`] as const),
  },
];

describe("mending", () => {
  it.each(cases)("reads what can be read and says the rest: $why", ({ values, texts, damage }) => {
    const came = mended(values);
    expect(came.damage.map(({ reason, at }) => [reason, at])).toEqual(damage);
    expect(textsOf(came.entries)).toEqual(texts);
  });

  it("always gives entries that a context takes, each once, whatever was there", () => {
    const value = fc.oneof(
      fc
        .record({
          seq: fc.integer({ min: -1, max: 12 }),
          parent: fc.integer({ min: 0, max: 12 }),
          id: fc.integer({ min: 1, max: 12 }),
        })
        .map(({ seq, parent, id }) => entry(seq, parent === 0 ? null : `e${parent}`, { id: `e${id}` })),
      fc
        .record({ seq: fc.integer({ min: 1, max: 12 }), to: fc.integer({ min: 0, max: 12 }) })
        .map(({ seq, to }) => ({
          id: `l${seq}`,
          seq,
          parent: null,
          at: 1,
          kind: "leaf",
          reason: "move",
          to: to === 0 ? null : `e${to}`,
        })),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(fc.array(value, { maxLength: 30 }), (values) => {
        const { entries } = mended(values);
        expect(() => new Context({ entries })).not.toThrow();
        expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
      }),
    );
  });

  it("holds no more than a window of entries back", () => {
    const mender = new EntryMender(() => undefined);
    let given = 0;
    for (let seq = 2; seq < 1_000; seq += 1) given += mender.add(entry(seq), () => "").length;
    expect(given).toBeGreaterThan(700);
  });
});
