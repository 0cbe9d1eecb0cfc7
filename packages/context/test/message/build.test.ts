import {
  contentBinary,
  contentText,
  messageAssistant,
  messageErrorText,
  messageHasContent,
  messageSystem,
  messageToolResult,
  messageUser,
  validateMessage,
} from "@ashlar/context";
import { describe, expect, it } from "vitest";

it.each([
  { why: "system", message: messageSystem("a"), type: 1 },
  { why: "user", message: messageUser("a"), type: 2 },
  { why: "assistant", message: messageAssistant([{ type: "text", text: "a" }]), type: 3 },
  { why: "tool result", message: messageToolResult({ callId: "k", content: "a" }), type: 4 },
])("builds a frozen, valid $why message", ({ message, type }) => {
  expect(validateMessage(message)).toBe(message);
  expect(message.type).toBe(type);
  expect(message.content).toEqual([{ type: "text", text: "a" }]);
  expect(
    Object.isFrozen(message) && Object.isFrozen(message.content) && Object.isFrozen(message.content[0]),
  ).toBe(true);
});

it("does not let metadata replace the type or the content", () => {
  expect(messageUser("a", { type: 3, content: [], worker: "w1" })).toEqual({
    type: 2,
    content: [{ type: "text", text: "a" }],
    worker: "w1",
  });
});

it("joins the texts of a message by a blank line", () => {
  const message = messageAssistant([
    { type: "text", text: "one" },
    { type: "thinking", text: "hm" },
    { type: "text", text: "" },
    { type: "text", text: "two" },
  ]);
  expect(contentText(message)).toBe("one\n\ntwo");
});

describe("a message has content", () => {
  it.each([
    { why: "not without blocks", content: [], has: false },
    { why: "not by an empty text", content: [{ type: "text" as const, text: "" }], has: false },
    { why: "not by an empty thinking", content: [{ type: "thinking" as const, text: "" }], has: false },
    {
      why: "by a signature on an empty thinking",
      content: [{ type: "thinking" as const, text: "", signature: "s" }],
      has: true,
    },
    { why: "not by an image without data", content: [{ type: "image" as const, content: "" }], has: false },
    {
      why: "by a call",
      content: [{ type: "toolCall" as const, callId: "a", name: "b", arguments: {} }],
      has: true,
    },
  ])("$why", ({ content, has }) => {
    expect(messageHasContent(messageAssistant(content))).toBe(has);
  });

  it("not by a bare unknown discriminator", () => {
    const bare = validateMessage({ type: 2, content: [{ type: "hologram" }] });
    const filled = validateMessage({ type: 2, content: [{ type: "hologram", depth: 1 }] });
    expect([messageHasContent(bare), messageHasContent(filled)]).toEqual([false, true]);
  });
});

it("reads the error of a failed response in both forms", () => {
  expect(messageErrorText(messageAssistant([], { error: "boom" }))).toBe("boom");
  expect(messageErrorText(messageAssistant([], { error: { message: "slow down", retry: 5 } }))).toBe(
    "slow down",
  );
  expect(messageErrorText(messageAssistant("fine"))).toBeUndefined();
});

describe("a file", () => {
  const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
  it.each([
    {
      why: "an image by its bytes",
      input: { bytes: png },
      block: { type: "image", content: "iVBORw0KGgo=", mimetype: "image/png" },
    },
    {
      why: "anything else as binary, by its base name",
      input: { bytes: Uint8Array.of(1), filename: "/home/me/secret place/a.pdf" },
      block: { type: "binary", content: "AQ==", mimetype: "application/pdf", filename: "a.pdf" },
    },
    {
      why: "an SVG as binary: it is text",
      input: { bytes: Uint8Array.of(60), filename: "a.svg" },
      block: { type: "binary", content: "PA==", mimetype: "image/svg+xml", filename: "a.svg" },
    },
    {
      why: "as the caller says",
      input: { bytes: png, mimetype: "text/plain" },
      block: { type: "binary", content: "iVBORw0KGgo=", mimetype: "text/plain" },
    },
  ])("becomes $why", ({ input, block }) => {
    expect(contentBinary(input)).toEqual(block);
  });

  it("larger than one chunk survives base64", () => {
    const bytes = Uint8Array.from({ length: 100_003 }, (_, index) => index % 256);
    const block = contentBinary({ bytes, filename: "a.bin" });
    expect(Uint8Array.from(atob(block.content), (letter) => letter.charCodeAt(0))).toEqual(bytes);
  });
});
