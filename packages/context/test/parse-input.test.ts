import { type ContextItem, messageUser, parseInput } from "@ashlar/context";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { failureOf, placeOf } from "./support/failure.js";

const user = (text: string) => ({ type: 2, content: [{ type: "text", text }] });
const line = (text: string): string => JSON.stringify(user(text));
const textsOf = (items: readonly ContextItem[]): readonly unknown[] =>
  items.map((item) => (Array.isArray(item.content) ? item.content.map(({ text }) => text).join("|") : item));

describe("the whole input as one JSON array", () => {
  it.each([
    { why: "messages and records", input: [user("a"), { type: "note", n: 1 }], length: 2 },
    { why: "an empty context", input: [], length: 0 },
  ])("is a context: $why", ({ input, length }) => {
    expect(parseInput(JSON.stringify(input, null, 2)).items).toEqual(input);
    expect(parseInput(JSON.stringify(input)).items).toHaveLength(length);
  });

  it.each([
    { why: "a type that is no message", input: [{ type: 9 }], at: "context[0].type" },
    { why: "a member that is text", input: [user("a"), "b"], at: "context[1]" },
    { why: "a member that is null", input: [null], at: "context[0]" },
    { why: "an object without a type", input: [user("a"), user("b"), {}], at: "context[2].type" },
    {
      why: "a call without its id",
      input: [user("a"), { type: 3, content: [{ type: "toolCall", name: "x", arguments: {} }] }],
      at: "context[1].content[0].callId",
    },
  ])("with an invalid member is malformed and the place is named: $why", ({ input, at }) => {
    const failure = failureOf(() => parseInput(JSON.stringify(input)));
    expect(failure.kind).toBe("malformed");
    expect(failure.details).toEqual({ at });
  });
});

describe("lines", () => {
  it.each([
    { why: "a message", input: line("a"), texts: ["a"] },
    {
      why: "an array of messages",
      input: `${line("a")}\n[${line("b")},${line("c")}]`,
      texts: ["a", "b", "c"],
    },
    { why: "plain text is the user's", input: "What is this?", texts: ["What is this?"] },
    { why: "text keeps its blanks", input: "  a  ", texts: ["  a  "] },
    {
      why: "other JSON is text",
      input: '{"prompt":"x"}\n5\n"s"\nnull',
      texts: ['{"prompt":"x"}', "5", '"s"', "null"],
    },
    { why: "an object with a text type is text", input: '{"type":"note"}', texts: ['{"type":"note"}'] },
    { why: "broken JSON is text", input: '{"type":2,\n[1,', texts: ['{"type":2,', "[1,"] },
    { why: "blank lines are skipped", input: "a\n\n  \n\r\nb\n", texts: ["a", "b"] },
    { why: "CRLF ends a line", input: `${line("a")}\r\nb\r\n`, texts: ["a", "b"] },
    { why: "the last line needs no end", input: `a\n${line("b")}`, texts: ["a", "b"] },
    { why: "a byte order mark is none of the text", input: `\ufeff${line("a")}`, texts: ["a"] },
    { why: "nothing is nothing", input: "", texts: [] },
  ])("$why", ({ input, texts }) => {
    expect(textsOf(parseInput(input).items)).toEqual(texts);
  });

  it.each([
    { why: "a number that is no type", input: `${line("a")}\n{"type":9}`, at: "line 2.type" },
    { why: "a message without content", input: `\n\n{"type":2}`, at: "line 3.content" },
    {
      why: "a block without text",
      input: '{"type":2,"content":[{"type":"text"}]}',
      at: "line 1.content[0].text",
    },
    { why: "a member of an array", input: `${line("a")}\n[${line("b")},{"type":0}]`, at: "line 2[1].type" },
    { why: "a member that is no object", input: "hello\n[1]", at: "line 2[0]" },
  ])("that can only be a broken message are malformed: $why", ({ input, at }) => {
    expect(placeOf(() => parseInput(input))).toBe(at);
  });
});

describe("one record per LF", () => {
  const special = ["\u2028", "\u2029", "\u0085", "\0", "\u000b", "\f"];

  it("takes each record once, unchanged, whatever characters it holds", () => {
    const texts = [...special.map((letter) => `a${letter}b`), "m".repeat(2 * 1024 * 1024), "ends in CR"];
    const records = texts
      .map((text) => line(text))
      .map((text, index) => (index === texts.length - 1 ? `${text}\r` : text));
    const input = [...records, "", "not JSON", line("no newline at the end")].join("\n");
    expect(textsOf(parseInput(input).items)).toEqual([...texts, "not JSON", "no newline at the end"]);
  });

  it.each(special)("does not end a line of text at %j", (letter) => {
    expect(textsOf(parseInput(`a${letter}b\nc`).items)).toEqual([`a${letter}b`, "c"]);
  });

  it("gives back any messages that were written one to a line, whatever the line ends", () => {
    const texts = fc.array(fc.string({ unit: "binary" }).filter((text) => text !== ""));
    fc.assert(
      fc.property(texts, fc.constantFrom("\n", "\r\n"), fc.boolean(), (lines, end, hasLastEnd) => {
        const input = lines.map(line).join(end) + (hasLastEnd ? end : "");
        expect(textsOf(parseInput(input).items)).toEqual(lines.map((text) => text.toWellFormed()));
      }),
    );
  });

  it("gives back any text lines as the user's", () => {
    const text = fc.string({ unit: fc.constantFrom("a", " ", "é", "\u2028", "\u0085", "\0", "{", "}", '"') });
    fc.assert(
      fc.property(fc.array(text), (lines) => {
        const said = lines.filter((words) => words.trim() !== "");
        expect(parseInput(lines.join("\n")).items).toEqual(said.map((words) => messageUser(words)));
      }),
    );
  });
});

describe("characters", () => {
  it("of a lone surrogate become U+FFFD in a message, and stay an escape in what is only text", () => {
    const escaped = '{"type":2,"content":[{"type":"text","text":"x\\udc00y"}]}';
    expect(textsOf(parseInput(escaped).items)).toEqual(["x\ufffdy"]);
    const prompt = '{"prompt":"x\\udc00y"}';
    expect(textsOf(parseInput(prompt).items)).toEqual([prompt]);
    expect(textsOf(parseInput("raw \ud83d").items)).toEqual(["raw \ufffd"]);
  });

  it("of NUL are kept", () => {
    expect(textsOf(parseInput('{"type":2,"content":[{"type":"text","text":"a\\u0000b"}]}').items)).toEqual([
      "a\0b",
    ]);
  });

  it("spell hostile keys as data", () => {
    const [item] = parseInput('{"type":2,"content":[],"__proto__":{"polluted":1},"constructor":2}').items;
    expect(JSON.stringify(item)).toBe('{"type":2,"content":[],"__proto__":{"polluted":1},"constructor":2}');
    expect("polluted" in {}).toBe(false);
  });

  it("nested without bounds are refused by place, never by a full stack", () => {
    const deep = `{"type":2,"content":[],"x":${"[".repeat(50_000)}${"]".repeat(50_000)}}`;
    expect(failureOf(() => parseInput(`hello\n${deep}`)).message).toMatch(/^line 2\.x/);
  });
});

it("keeps blocks and fields that nobody knows", () => {
  const strange = '{"type":2,"content":[{"type":"hologram","depth":3}],"worker":"w1"}';
  expect(JSON.stringify(parseInput(strange).items[0])).toBe(strange);
});
