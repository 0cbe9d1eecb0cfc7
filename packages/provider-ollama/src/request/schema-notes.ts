import type { UnknownRecord } from "../record.js";

const MAX_NOTE_CHARACTERS = 240;

/** How a keyword that the server drops reads in a description. */
const NOTES: Readonly<Record<string, (value: unknown) => string | undefined>> = {
  default: (value) => `default ${json(value)}`,
  minimum: (value) => `at least ${json(value)}`,
  maximum: (value) => `at most ${json(value)}`,
  exclusiveMinimum: (value) => `more than ${json(value)}`,
  exclusiveMaximum: (value) => `less than ${json(value)}`,
  multipleOf: (value) => `a multiple of ${json(value)}`,
  minLength: (value) => `at least ${counted(value, "character")}`,
  maxLength: (value) => `at most ${counted(value, "character")}`,
  pattern: (value) => `matches the regular expression ${String(value)}`,
  format: (value) => `format ${String(value)}`,
  minItems: (value) => `at least ${counted(value, "item")}`,
  maxItems: (value) => `at most ${counted(value, "item")}`,
  uniqueItems: (value) => (value === true ? "no item twice" : undefined),
  minProperties: (value) => `at least ${counted(value, "property")}`,
  maxProperties: (value) => `at most ${counted(value, "property")}`,
  additionalProperties: (value) =>
    value === false
      ? "no other properties"
      : value === true
        ? undefined
        : `other properties as ${json(value)}`,
  examples: (value) => `for example ${json(value)}`,
};
/** Keywords with nothing for a model to know, or that are translated elsewhere. */
const SILENT: ReadonlySet<string> = new Set(
  "$schema $id $anchor $comment $defs definitions $ref title description type properties required items enum const anyOf oneOf allOf deprecated readOnly writeOnly".split(
    " ",
  ),
);

/** What a schema says in keywords that Ollama does not pass on, in words. */
export function schemaNotes(schema: UnknownRecord): readonly string[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (SILENT.has(keyword) || value === undefined) return [];
    const known = Object.hasOwn(NOTES, keyword) ? NOTES[keyword] : undefined;
    const note = known === undefined ? `${keyword} ${json(value)}` : known(value);
    return note === undefined ? [] : [note];
  });
}

/** A description with notes behind it. */
export function withNotes(description: unknown, notes: readonly string[]): string | undefined {
  const text = typeof description === "string" ? description.trim() : "";
  if (notes.length === 0) return text === "" ? undefined : text;
  const unique = [...new Set(notes)].join("; ");
  return text === "" ? capitalised(unique) : `${text} (${unique})`;
}

function counted(value: unknown, noun: string): string {
  const many = noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${json(value)} ${value === 1 ? noun : many}`;
}

function json(value: unknown): string {
  const text = JSON.stringify(value) ?? "";
  return text.length > MAX_NOTE_CHARACTERS ? `${text.slice(0, MAX_NOTE_CHARACTERS)}…` : text;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
