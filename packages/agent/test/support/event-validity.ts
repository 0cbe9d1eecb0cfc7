import { type AgentStreamEvent, streamEventSchema } from "@ashlar/agent";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { expect } from "vitest";

let validate: ValidateFunction | undefined;

/** Every event, as its line in the headless stream, fits the published schema; a result is the last event of its run. */
export function expectValid(events: readonly AgentStreamEvent[]): void {
  validate ??= new Ajv2020({ allErrors: true, strict: false }).compile(streamEventSchema);
  for (const event of events) {
    const line: unknown = JSON.parse(JSON.stringify(event));
    const valid = validate(line);
    expect(valid ? [] : validate.errors, `${event.type}: ${JSON.stringify(line).slice(0, 300)}`).toEqual([]);
  }
}
