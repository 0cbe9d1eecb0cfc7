import { isAshlarError } from "../error.js";
import { jsonEqual } from "../json/json-equal.js";
import { StoreFailure } from "./conformance-failure.js";

const MAX_SHOWN_CHARACTERS = 400;

/** Throws a `StoreFailure` unless `holds`. */
export function expectThat(holds: boolean, expected: string, came: unknown): asserts holds {
  if (!holds) throw new StoreFailure(expected, shown(came));
}

/** Compares as JSON, keys in any order. */
export function expectSame(what: string, expected: unknown, came: unknown): void {
  expectThat(jsonEqual(asJson(expected), asJson(came)), `${what}: ${shown(expected)}`, came);
}

/** The action has to fail with an error of this kind. */
export async function expectRefusal(what: string, kind: string, action: () => unknown): Promise<void> {
  let came: unknown = "no failure";
  try {
    await action();
  } catch (error) {
    if (isAshlarError(error) && error.kind === kind) return;
    came = error;
  }
  throw new StoreFailure(`${what} to be refused with kind ${kind}`, shown(came));
}

function shown(value: unknown): string {
  const text =
    value instanceof Error ? `${value.name}: ${value.message}` : (JSON.stringify(value) ?? "nothing");
  return text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text;
}

function asJson(value: unknown): unknown {
  return value === undefined ? null : JSON.parse(JSON.stringify(value));
}
