import { type AssistantMessage, createAssembler, type ResponseEvent } from "@ashlar/context";
import fc from "fast-check";
import { expect, it } from "vitest";

const DONE: ResponseEvent = { type: "done", doneReason: "stop" };

function assemble(events: readonly ResponseEvent[]): AssistantMessage {
  const assembler = createAssembler();
  for (const event of events) assembler.push(event);
  return assembler.message();
}

interface Streamed {
  readonly kind: "text" | "thinking" | "toolCall";
  readonly text: string;
}

/** Where a text is cut: any places, empty pieces and cuts inside a pair included. */
const cuts = fc.array(fc.nat({ max: 40 }), { maxLength: 6 });
const streamed: fc.Arbitrary<Streamed> = fc.oneof(
  fc.record({
    kind: fc.constantFrom("text" as const, "thinking" as const),
    text: fc.string({ unit: "binary", minLength: 1 }),
  }),
  fc.record({
    kind: fc.constant("toolCall" as const),
    text: fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify({ value })),
  }),
);

it("is the same message however the deltas are cut and interleaved", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(streamed, cuts), { minLength: 1, maxLength: 4 }),
      fc.infiniteStream(fc.nat({ max: 3 })),
      (blocks, turns) => {
        const whole = blocks.flatMap(([block], index) => eventsOf(block, index, []));
        const split = blocks.map(([block, places], index) => eventsOf(block, index, places));
        const starts = split.flatMap(([start]) => (start === undefined ? [] : [start]));
        const rest = interleaved(
          split.map((events) => events.slice(1)),
          turns,
        );
        expect(assemble([...starts, ...rest, DONE])).toEqual(assemble([...whole, DONE]));
      },
    ),
  );
});

function eventsOf(
  { kind, text }: Streamed,
  contentIndex: number,
  places: readonly number[],
): readonly ResponseEvent[] {
  const pieces = piecesOf(text, places);
  if (kind === "toolCall") {
    return [
      { type: "tool_call_start", contentIndex, callId: `c${contentIndex}`, name: "x" },
      ...pieces.map((piece) => ({ type: "tool_call_delta" as const, contentIndex, arguments: piece })),
      { type: "tool_call_end", contentIndex },
    ];
  }
  const events: readonly ResponseEvent[] = [
    { type: "text_start", contentIndex },
    ...pieces.map((piece) => ({ type: "text_delta" as const, contentIndex, text: piece })),
    { type: "text_end", contentIndex },
  ];
  return kind === "text" ? events : events.map(asThinking);
}

function asThinking(event: ResponseEvent): ResponseEvent {
  switch (event.type) {
    case "text_start":
      return { type: "thinking_start", contentIndex: event.contentIndex };
    case "text_delta":
      return { ...event, type: "thinking_delta" };
    case "text_end":
      return { type: "thinking_end", contentIndex: event.contentIndex };
    default:
      return event;
  }
}

function piecesOf(text: string, places: readonly number[]): readonly string[] {
  const borders = [
    0,
    ...places.map((place) => Math.min(place, text.length)).sort((a, b) => a - b),
    text.length,
  ];
  return borders.slice(1).map((end, index) => text.slice(borders[index], end));
}

function interleaved(
  lists: readonly (readonly ResponseEvent[])[],
  turns: Iterator<number>,
): readonly ResponseEvent[] {
  const queues = lists.map((list) => [...list]);
  const events: ResponseEvent[] = [];
  while (queues.some((queue) => queue.length > 0)) {
    const waiting = queues.filter((queue) => queue.length > 0);
    const next = waiting[Number(turns.next().value) % waiting.length]?.shift();
    if (next !== undefined) events.push(next);
  }
  return events;
}
