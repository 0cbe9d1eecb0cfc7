import type { Block, ContextItem, Message } from "@ashlar/context";
import fc from "fast-check";

/** Text with everything that has ever hurt: pairs, halves of pairs, NUL, the separators that are no line ends, CR, BOM. */
export const messyText = fc.string({
  unit: fc.constantFrom(
    "a",
    " ",
    "é",
    "日",
    "🙂",
    "\ud83d",
    "\udc00",
    "\0",
    "\u2028",
    "\u2029",
    "\u0085",
    "\r",
    "\ufeff",
    '"',
    "\\",
  ),
  maxLength: 8,
});

export const callId = fc.constantFrom("", "k1", "k2", "k3");

export const jsonData = fc.jsonValue({ maxDepth: 3, noUnicodeString: false });

export const messyBlock: fc.Arbitrary<Block> = fc.oneof(
  fc.record({ type: fc.constant("text" as const), text: messyText }),
  fc.record({ type: fc.constant("thinking" as const), text: messyText }),
  fc.record({ type: fc.constant("thinking" as const), text: messyText, signature: messyText }),
  fc.record({ type: fc.constant("image" as const), content: fc.constantFrom("", "aGk=") }),
  fc.record({
    type: fc.constant("toolCall" as const),
    callId,
    name: fc.constantFrom("read", "bash"),
    arguments: jsonData,
  }),
  fc.record({
    type: fc.constant("toolCall" as const),
    callId,
    name: fc.constant("search"),
    arguments: jsonData,
    executed: fc.constant(true),
  }),
);

const content = fc.array(messyBlock, { maxLength: 5 });
const plainContent = fc.array(fc.record({ type: fc.constant("text" as const), text: messyText }), {
  maxLength: 2,
});

/** Messages of a conversation that no loop of ours has written. */
export const messyMessage: fc.Arbitrary<Message> = fc.oneof(
  fc.record({ type: fc.constant(1 as const), content: plainContent }),
  fc.record({ type: fc.constant(2 as const), content: plainContent }),
  fc.record({ type: fc.constant(3 as const), content }),
  fc.record({ type: fc.constant(4 as const), callId, content: plainContent }),
  fc.record({ type: fc.constant(4 as const), callId, content: plainContent, display: plainContent }),
);

export const messyItem: fc.Arbitrary<ContextItem> = fc.oneof(
  { weight: 9, arbitrary: messyMessage },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("note"), text: messyText }) },
);
