import { responseEventSchema, validateEvent } from "@ashlar/context";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, it } from "vitest";
import { eventSamples } from "./event-samples.js";

const validate = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true }).compile(
  responseEventSchema,
);

it.each(eventSamples.map((event) => ({ type: event.type, event })))(
  "describes a $type event as it is written",
  ({ event }) => {
    const written: unknown = JSON.parse(JSON.stringify(event));
    validate(written);
    expect(validate.errors).toBeNull();
  },
);

it("has a sample of every type it describes", () => {
  const described = JSON.stringify(responseEventSchema.oneOf).matchAll(
    /"type":\{"type":"string","const":"(\w+)"\}/g,
  );
  const types = [...described].map(([, type]) => type);
  expect(types).toHaveLength(13);
  expect(new Set(eventSamples.map(({ type }) => type))).toEqual(new Set(types));
});

it.each([
  { why: "no type", event: {} },
  { why: "a type nobody knows", event: { type: "toolcall_start" } },
  { why: "an index below 0", event: { type: "text_start", contentIndex: -1 } },
  { why: "a delta without text", event: { type: "text_delta", contentIndex: 0 } },
  { why: "another version", event: { type: "start", version: 2 } },
  { why: "a reason nobody knows", event: { type: "done", doneReason: "tool_calls" } },
])("refuses what the validator refuses: $why", ({ event }) => {
  expect(validate(event)).toBe(false);
  expect(() => validateEvent(event)).toThrow(expect.objectContaining({ kind: "malformed" }));
});
