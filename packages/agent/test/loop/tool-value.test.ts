import { readToolError, readToolValue } from "@ashlar/agent/loop";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const cyclic: Record<string, unknown> = { name: "loop" };
cyclic.self = cyclic;
const shared = { deep: 1 };
const text = (value: unknown): string => {
  const [block] = readToolValue(value).content;
  return block?.type === "text" ? block.text : JSON.stringify(block);
};

describe("a result", () => {
  it.each([
    { why: "a text", value: "hi", shown: "hi" },
    { why: "no text", value: "", shown: "(no output)" },
    { why: "nothing", value: undefined, shown: "(no output)" },
    { why: "null", value: null, shown: "null" },
    { why: "a number", value: 7, shown: "7" },
    { why: "an object", value: { a: [1, true] }, shown: '{"a":[1,true]}' },
    { why: "an empty array", value: [], shown: "[]" },
    {
      why: "data that has a type of its own",
      value: [{ type: "push", id: 1 }],
      shown: '[{"type":"push","id":1}]',
    },
    { why: "a cycle", value: cyclic, shown: '{"name":"loop","self":"[circular]"}' },
    { why: "the same object twice", value: [shared, shared], shown: '[{"deep":1},{"deep":1}]' },
    { why: "a big number", value: { n: 10n }, shown: '{"n":"10"}' },
    { why: "numbers JSON lacks", value: [Number.NaN, 1 / 0], shown: '["NaN","Infinity"]' },
    { why: "a map", value: new Map([["a", 1]]), shown: '[["a",1]]' },
    { why: "a function", value: function probe() {}, shown: '"[function probe]"' },
    { why: "half a character", value: "cut \ud83d", shown: "cut \ufffd" },
    { why: "a result that is falsy", value: { result: 0 }, shown: "0" },
    {
      why: "an object with more than a result",
      value: { result: 1, other: 2 },
      shown: '{"result":1,"other":2}',
    },
  ])("may be $why", ({ value, shown }) => {
    expect(text(value)).toBe(shown);
    expect(readToolValue(value).error).toBe(false);
  });

  it("takes blocks as they are, without what JSON cannot hold", () => {
    const blocks = [
      { type: "text", text: "a", fn: () => 1 },
      { type: "image", content: "AAAA", mimetype: "image/png" },
      { type: "binary", content: "AAAA", filename: "a.bin" },
    ];
    const { content } = readToolValue(blocks);
    expect(content).toEqual([
      { type: "text", text: "a" },
      { type: "image", content: "AAAA", mimetype: "image/png" },
      { type: "binary", content: "AAAA", filename: "a.bin" },
    ]);
    expect(readToolValue({ content: blocks }).content).toEqual(content);
    expect(readToolValue({ result: blocks }).content).toEqual(content);
  });

  it("turns bytes into an attachment", () => {
    expect(readToolValue(new Uint8Array([1, 2, 3])).content).toMatchObject([
      { type: "binary", content: "AQID" },
    ]);
    expect(readToolValue(new Uint8Array([1, 2, 3]).buffer).content).toMatchObject([{ content: "AQID" }]);
  });

  it("leaves out bytes without end and says so", () => {
    expect(text(new Uint8Array(17 * 1024 * 1024))).toContain("17825792 bytes left out");
  });

  it("bounds a huge text, keeps both ends and says what is missing", () => {
    const shown = text(`first${"x".repeat(5_000_000)}last`);
    expect(shown.length).toBeLessThan(300_000);
    expect(shown).toMatch(/^first/u);
    expect(shown).toMatch(/last$/u);
    expect(shown).toMatch(/\[\d+ characters left out here\]/u);
  });

  it("never cuts inside a character", () => {
    for (let pad = 0; pad < 4; pad += 1) {
      const shown = text("x".repeat(pad) + "🙂".repeat(300_000));
      expect(shown).not.toContain("\ufffd");
    }
  });

  it("is bounded as a whole when it has many parts", () => {
    const parts = Array.from({ length: 10 }, () => ({ type: "text", text: "y".repeat(100_000) }));
    const { content } = readToolValue(parts);
    expect(JSON.stringify(content).length).toBeLessThan(300_000);
    expect(content.at(-1)).toMatchObject({ text: "(7 more parts left out: the result is too large)" });
    const images = Array.from({ length: 3 }, () => ({ type: "image", content: "A".repeat(12_000_000) }));
    expect(readToolValue(images).content).toHaveLength(2);
  });

  it("keeps system texts and display apart", () => {
    expect(readToolValue({ result: "r", system: ["one", "", 5, "two"], display: "shown" })).toEqual({
      content: [{ type: "text", text: "r" }],
      error: false,
      system: ["one", "two"],
      display: [{ type: "text", text: "shown" }],
    });
    expect(readToolValue({ result: "r", system: "only" }).system).toEqual(["only"]);
  });

  it("may say itself that it is an error", () => {
    expect(readToolValue({ content: [{ type: "text", text: "no" }], isError: true }).error).toBe(true);
  });

  it("may be anything at all: reading it never throws and gives JSON", () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withMap: true, withSet: true, withTypedArray: true }),
        (value) => {
          const answer = readToolValue(value);
          expect(answer.content.length).toBeGreaterThan(0);
          expect(JSON.parse(JSON.stringify(answer.content))).toEqual(answer.content);
        },
      ),
    );
  });

  it("may fail while it is read", () => {
    const hostile = {
      get trap(): never {
        throw new Error("no");
      },
    };
    expect(text(hostile)).toContain("could not be shown: no");
  });
});

describe("what a tool throws", () => {
  it.each([
    { why: "an error", thrown: new Error("disk full"), shown: "disk full" },
    { why: "an error without a message", thrown: new TypeError(), shown: "TypeError" },
    { why: "a text", thrown: "plain", shown: "plain" },
    { why: "nothing", thrown: undefined, shown: "It failed with undefined." },
    { why: "an object", thrown: { code: 5 }, shown: 'It failed with {"code":5}.' },
  ])("is an error result: $why", ({ thrown, shown }) => {
    expect(readToolError(thrown)).toMatchObject({ error: true, content: [{ type: "text", text: shown }] });
  });

  it("may carry system texts", () => {
    expect(readToolError(Object.assign(new Error("x"), { system: "be careful" })).system).toEqual([
      "be careful",
    ]);
  });
});
