import { ConformanceFailure } from "@ashlar/io/testing";

const MAX_SHOWN_CHARACTERS = 600;

/** Throws a `ConformanceFailure` unless `holds`. `came` is shown, cut where it is long. */
export function expectThat(holds: boolean, expected: string, came: unknown): asserts holds {
  if (!holds) throw new ConformanceFailure(expected, shown(came));
}

/** The list has to be empty. */
export function expectNone(expected: string, came: readonly string[]): void {
  expectThat(came.length === 0, expected, came.join("; "));
}

export function shown(value: unknown): string {
  const text = textOf(value);
  return text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text;
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return value instanceof Error ? `${value.name}: ${value.message}` : (JSON.stringify(value) ?? "nothing");
}
