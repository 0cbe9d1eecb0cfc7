import { canonicalJson } from "@ashlar/context";
import { ConformanceFailure } from "./conformance-failure.js";

const MAX_SHOWN_CHARACTERS = 600;

/** Throws a `ConformanceFailure` unless `holds`. `came` is shown, cut where it is long. */
export function expectThat(holds: boolean, expected: string, came: unknown): asserts holds {
  if (!holds) throw new ConformanceFailure(expected, shown(came));
}

/** Compares as JSON, keys in any order. */
export function expectSame(what: string, expected: unknown, came: unknown): void {
  expectThat(asJson(expected) === asJson(came), `${what} ${shown(expected)}`, came);
}

export function shown(value: unknown): string {
  const text =
    value instanceof Error ? `${value.name}: ${value.message}` : (JSON.stringify(value) ?? "nothing");
  return text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text;
}

function asJson(value: unknown): string {
  return value === undefined ? "nothing" : canonicalJson(value);
}
