import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { resultProblem } from "../../../src/testing/inside/result-problem.js";
import { resultSize } from "../../../src/testing/inside/result-size.js";

const block = { type: "text", text: "stone" };
const cyclic: Record<string, unknown> = {};
cyclic.self = [cyclic];
let deep: unknown = [];
for (let level = 0; level < 300; level += 1) deep = [deep];

describe("the judgement of a result", () => {
  it.each([
    { why: "a text", result: "", characters: 0 },
    { why: "blocks", result: [block, { type: "image", content: "AAAA" }], characters: 5, attachmentBytes: 3 },
    { why: "JSON", result: { a: [1, null, true] }, characters: 19 },
    { why: "a member that JSON leaves out", result: { a: undefined }, characters: 2 },
    {
      why: "a payload, all its texts counted",
      result: { result: "four", system: ["12", "34"], display: [block] },
      characters: 4 + 11 + 5,
    },
    { why: "data that has a result among others", result: { result: 1, rows: 2 }, characters: 21 },
    { why: "one object twice", result: [block, block].map((row) => ({ row })), characters: 79 },
  ])("takes $why", ({ result, characters, attachmentBytes = 0 }) => {
    expect(resultProblem(result)).toBeUndefined();
    expect(resultSize(result)).toEqual({ characters, attachmentBytes });
  });

  it.each([
    { why: "nothing", result: undefined, problem: "nothing" },
    { why: "what holds itself", result: cyclic, problem: "result.self.0, which holds itself" },
    { why: "what is endlessly deep", result: deep, problem: "deeper than 200 levels" },
    { why: "a number that is none", result: { a: [Number.NaN] }, problem: "result.a.0, which is NaN" },
    { why: "a hole", result: [undefined], problem: "result.0, which is of type undefined" },
    { why: "a big integer", result: 1n, problem: "result, which is of type bigint" },
    { why: "a function", result: { a: () => 1 }, problem: "result.a, which is of type function" },
    { why: "a map, which JSON empties", result: { a: new Map() }, problem: "result.a, which is a Map" },
    { why: "bytes", result: new Uint8Array(2), problem: "result, which is a Uint8Array" },
    {
      why: "a block without its text",
      result: [block, { type: "text" }],
      problem: "result[1], a block of type text",
    },
    {
      why: "a system that is no text",
      result: { result: "", system: [1] },
      problem: "system, which is a text",
    },
    {
      why: "a display that is no block",
      result: { result: "", display: { a: 1 } },
      problem: "display, which is a text",
    },
    {
      why: "a payload around what is no JSON",
      result: { result: 1n },
      problem: "result.result, which is of type bigint",
    },
  ])("refuses $why", ({ result, problem }) => {
    expect(resultProblem(result)).toContain(problem);
  });

  it("takes every value that JSON can carry", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const carried: unknown = JSON.parse(JSON.stringify(value));
        fc.pre(!JSON.stringify(value).includes('"type"') && !Object.hasOwn(Object(value), "result"));
        expect(resultProblem(carried)).toBeUndefined();
        const length = typeof value === "string" ? value.length : JSON.stringify(value).length;
        expect(resultSize(carried).characters).toBe(Array.isArray(value) && value.length === 0 ? 0 : length);
      }),
    );
  });
});
