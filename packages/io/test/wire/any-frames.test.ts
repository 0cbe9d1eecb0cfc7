import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventGuard } from "../../src/request/event-guard.js";
import { chatWire } from "../../src/wire/openai-chat/index.js";
import { responsesWire } from "../../src/wire/openai-responses/index.js";
import { wireContext } from "./wire-context.js";

const index = fc.option(fc.nat(2), { nil: undefined });
const piece = fc.oneof(fc.constantFrom("", "a", '{"a":', "1}", "{}"), fc.jsonValue());

const chatFrame = fc.oneof(
  fc.jsonValue(),
  fc.record({
    choices: fc.array(
      fc.record(
        {
          index,
          delta: fc.record(
            {
              content: piece,
              reasoning_content: piece,
              tool_calls: fc.array(
                fc.record(
                  {
                    index,
                    id: fc.constantFrom("", "a", "b", null, 1),
                    function: fc.record(
                      { name: fc.constantFrom("", "read", "write", null), arguments: piece },
                      { requiredKeys: [] },
                    ),
                  },
                  { requiredKeys: [] },
                ),
                { maxLength: 3 },
              ),
            },
            { requiredKeys: [] },
          ),
          finish_reason: fc.constantFrom(null, "stop", "length", "tool_calls"),
        },
        { requiredKeys: [] },
      ),
      { maxLength: 2 },
    ),
  }),
);

const item = fc.record(
  {
    type: fc.constantFrom("message", "reasoning", "function_call", "other"),
    call_id: fc.constantFrom("a", "b", null),
    name: fc.constantFrom("read", null),
    arguments: piece,
    content: fc.constantFrom([], [{ type: "output_text", text: "t" }], "odd"),
    summary: fc.constantFrom([], [{ text: "s" }], null),
    encrypted_content: fc.constantFrom("sealed", null),
  },
  { requiredKeys: ["type"] },
);

const responsesFrame = fc.oneof(
  fc.jsonValue(),
  fc.record(
    {
      type: fc.constantFrom(
        "response.created",
        "response.output_item.added",
        "response.output_item.done",
        "response.output_text.delta",
        "response.refusal.delta",
        "response.reasoning_summary_text.delta",
        "response.reasoning_text.delta",
        "response.function_call_arguments.delta",
        "response.completed",
        "response.incomplete",
      ),
      output_index: index,
      content_index: index,
      summary_index: index,
      delta: piece,
      item,
      response: fc.record(
        { status: fc.constantFrom("completed", "incomplete"), output: fc.array(item, { maxLength: 2 }) },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: ["type"] },
  ),
);

describe.each([
  { name: "Chat Completions", wire: chatWire, frame: chatFrame },
  { name: "Responses", wire: responsesWire, frame: responsesFrame },
])("whatever a server sends on $name", ({ wire, frame }) => {
  it("becomes events in order, with at most one terminal event and nothing after it", () => {
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 12 }), (frames) => {
        const guard = new EventGuard();
        const state = {};
        let ended = false;
        for (const event of [...frames, null].flatMap((each) =>
          wire.msg2events(each, state, wireContext()),
        )) {
          expect(ended).toBe(false);
          ended = event.type === "done" || event.type === "error";
          if (!ended) guard.check(event);
        }
      }),
      { numRuns: 400 },
    );
  });
});
