import {
  type ContextItem,
  estimateTokens,
  messageAssistant,
  messageToolResult,
  messageUser,
} from "@ashlar/context";
import fc from "fast-check";
import { expect, it } from "vitest";
import { utf8Length } from "../../src/tokens/utf8-length.js";

it("counts the bytes of UTF-8 as an encoder does", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary" }),
      fc.constantFrom("", "\ud83d", "\udc00", "\ud83d\ud83d\ude42"),
      (text, half) => {
        expect(utf8Length(text + half)).toBe(new TextEncoder().encode(text + half).length);
      },
    ),
  );
});

it.each([
  { why: "by bytes, not by words", text: "x".repeat(3500), least: 1000, most: 1010 },
  { why: "other scripts by theirs", text: "日".repeat(1000), least: 850, most: 1000 },
])("estimates text $why", ({ text, least, most }) => {
  const tokens = estimateTokens([messageUser(text)]);
  expect(tokens).toBeGreaterThanOrEqual(least);
  expect(tokens).toBeLessThanOrEqual(most);
});

it("costs an image the same whatever its size, and records nothing", () => {
  const image = (bytes: number): ContextItem => messageUser([{ type: "image", content: "A".repeat(bytes) }]);
  expect(estimateTokens([image(10)])).toBe(estimateTokens([image(1_000_000)]));
  expect(estimateTokens([{ type: "note", text: "x".repeat(1000) }])).toBe(0);
  expect(estimateTokens([])).toBe(0);
});

it("counts calls, results, thinking and unknown blocks", () => {
  const args = { content: "y".repeat(350) };
  const call = messageAssistant([{ type: "toolCall", callId: "a", name: "write", arguments: args }]);
  const raw = messageAssistant([
    { type: "toolCall", callId: "a", name: "write", arguments: JSON.stringify(args) },
  ]);
  expect(estimateTokens([call])).toBe(estimateTokens([raw]));
  expect(estimateTokens([call])).toBeGreaterThan(100);
  expect(
    estimateTokens([messageToolResult({ callId: "a", content: "z".repeat(350) })]),
  ).toBeGreaterThanOrEqual(100);
  expect(
    estimateTokens([messageAssistant([{ type: "thinking", text: "t".repeat(350) }])]),
  ).toBeGreaterThanOrEqual(100);
});

it("adds up: each message costs the same alone and among others, the first time and later", () => {
  const items = ["a", "bb", "ccc"].map((text) => messageUser(text.repeat(50)));
  const alone = items.reduce((sum, item) => sum + estimateTokens([item]), 0);
  expect(estimateTokens(items)).toBe(alone);
  expect(estimateTokens(items)).toBe(alone);
});

it("sees a change of a message that is not frozen", () => {
  const content = [{ type: "text" as const, text: "a" }];
  const item = { type: 2 as const, content };
  const before = estimateTokens([item]);
  content.push({ type: "text", text: "b".repeat(350) });
  expect(estimateTokens([item])).toBeGreaterThan(before + 90);
});

it("counts what the tools' descriptors cost", () => {
  const tool = { name: "read", description: "d".repeat(350), inputSchema: { type: "object" } };
  expect(estimateTokens([], [tool, tool])).toBe(2 * estimateTokens([], [tool]));
  expect(estimateTokens([], [tool])).toBeGreaterThan(100);
});
