import { type Block, isObject, type Message, MessageType } from "@ashlar/context";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chatWire } from "../../src/wire/openai-chat/index.js";
import { responsesWire } from "../../src/wire/openai-responses/index.js";
import type { Wire } from "../../src/wire/wire.js";
import { complaints } from "./strict-server.js";
import { wireContext } from "./wire-context.js";

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const text = fc.record({ type: fc.constant("text" as const), text: fc.string({ maxLength: 6 }) });
const image = fc.constant<Block>({ type: "image", content: PNG });
const thinking = fc.record({
  type: fc.constant("thinking" as const),
  text: fc.string({ maxLength: 4 }),
  openaiResponses: fc.constantFrom({ endpoint: "local", encryptedContent: "x" }, { endpoint: "other" }),
});

/** One round: what the user or the system says, or calls with all their results. */
const round = fc.oneof(
  fc
    .array(fc.oneof(text, image), { minLength: 1, maxLength: 3 })
    .map((content): Message[] => [{ type: MessageType.user, content }]),
  fc
    .array(text, { minLength: 1, maxLength: 2 })
    .map((content): Message[] => [{ type: MessageType.system, content }]),
  fc
    .tuple(
      fc.array(fc.oneof(text, thinking), { maxLength: 3 }),
      fc.array(fc.array(fc.oneof(text, image), { maxLength: 2 }), { maxLength: 3 }),
    )
    .map(([said, results]): Message[] => [
      {
        type: MessageType.assistant,
        content: [
          ...said,
          ...results.map((_, i) => ({
            type: "toolCall" as const,
            callId: `c${i}`,
            name: "read",
            arguments: { i },
          })),
        ],
      },
      ...results.map(
        (content, i): Message => ({ type: MessageType.toolResult, callId: `c${i}`, name: "read", content }),
      ),
    ]),
);

const COMPATS = [
  {},
  {
    developerRole: true,
    laterSystemRole: "user",
    reasoningField: "reasoning",
    strictToolIds: true,
    callsOnlyContent: "empty",
  },
];

it("is valid on Chat Completions with the user's messages joined, and the user never speaks twice in a row", () => {
  fc.assert(
    fc.property(fc.array(round, { maxLength: 6 }), (rounds) => {
      const body = bodyOf(chatWire, rounds.flat(), { userMessages: "joined", laterSystemRole: "user" });
      expect(complaints(body)).toEqual([]);
      const messages = Array.isArray(body.messages) ? body.messages : [];
      const roles = messages.map(({ role }) => String(role)).join(" ");
      expect(roles).not.toContain("user user");
    }),
  );
});

describe.each([
  { name: "Chat Completions", wire: chatWire, list: "messages" },
  { name: "Responses", wire: responsesWire, list: "input" },
])("a conversation that grows on $name", ({ wire, list }) => {
  it("begins with the bytes of the request before, and is valid each time", () => {
    fc.assert(
      fc.property(
        fc.array(round, { minLength: 1, maxLength: 6 }),
        fc.constantFrom(...COMPATS),
        (rounds, compat) => {
          let before = "";
          for (let grown = 1; grown <= rounds.length; grown++) {
            const body = bodyOf(wire, rounds.slice(0, grown).flat(), compat);
            if (list === "messages") expect(complaints(body)).toEqual([]);
            const bytes = JSON.stringify(body[list]).slice(0, -1);
            expect(bytes.startsWith(before)).toBe(true);
            before = bytes;
          }
        },
      ),
    );
  });

  it("is translated without touching it, and the same way twice", () => {
    fc.assert(
      fc.property(fc.array(round, { maxLength: 4 }), (rounds) => {
        const context = rounds.flat();
        const was = JSON.stringify(context);
        expect(JSON.stringify(bodyOf(wire, context))).toBe(JSON.stringify(bodyOf(wire, context)));
        expect(JSON.stringify(context)).toBe(was);
      }),
    );
  });
});

function bodyOf(
  wire: Wire,
  context: readonly Message[],
  compat: object = {},
): Readonly<Record<string, unknown>> {
  const [, body] = wire.context2msg(context, wireContext({ settings: { compat } }));
  return isObject(body) ? body : {};
}
