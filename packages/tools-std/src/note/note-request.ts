import { isObject, type JsonObject } from "@ashlar/context";
import { checkFields, checkText } from "../argument-check.js";
import { ToolError } from "../tool-error.js";
import { NOTE_LIMITS, type NoteInput } from "./note-input.js";

const LIMITS = NOTE_LIMITS;
const FIELDS = ["action", "notes", "only", "pattern", "field", "max"] as const;

/** Which arguments go with which action. */
const TAKES: Readonly<Record<NoteInput["action"], readonly string[]>> = {
  set: ["notes"],
  get: ["notes", "only"],
  list: ["only", "max"],
  remove: ["notes"],
  search: ["pattern", "field", "only", "max"],
};
const NEEDS: Readonly<Record<NoteInput["action"], "notes" | "pattern" | undefined>> = {
  set: "notes",
  get: "notes",
  list: undefined,
  remove: "notes",
  search: "pattern",
};

export interface NoteRequest {
  readonly action: NoteInput["action"];
  readonly notes: readonly { readonly title: string; readonly fields: JsonObject }[];
  readonly only: readonly string[] | undefined;
  readonly pattern: string;
  readonly field: string | undefined;
  readonly max: number;
}

/** The arguments, complete. Throws kind `usage` for what does not fit or does not go together. */
export function checkNoteInput(input: NoteInput): NoteRequest {
  checkFields("note", input, FIELDS);
  const { action, only, pattern = "", field, max = LIMITS.defaultMax } = input;
  if (!Object.hasOwn(TAKES, action))
    throw usage("action", `wanted ${Object.keys(TAKES).join(", ")}, came ${JSON.stringify(action)}`);
  checkTogether(input);
  if (!Number.isInteger(max) || max < 1 || max > LIMITS.max)
    throw usage("max", `wanted 1 to ${LIMITS.max}, came ${JSON.stringify(max)}`);
  checkLength("pattern", pattern, LIMITS.pattern);
  if (field !== undefined) checkLength("field", field, LIMITS.fieldName);
  return { action, notes: checkItems(input), only: only?.map(checkOnly), pattern, field, max };
}

function checkTogether(input: NoteInput): void {
  const { action } = input;
  const takes = TAKES[action];
  const needed = NEEDS[action];
  for (const [argument, value] of Object.entries(input)) {
    if (value === undefined || argument === "action" || takes.includes(argument)) continue;
    throw usage(argument, `does not go with ${action}, which takes ${takes.join(", ")}`);
  }
  const given = needed === undefined ? true : input[needed];
  if (needed === undefined || (given !== undefined && given !== "")) return;
  const example = needed === "notes" ? `"notes": ["a title"]` : `"pattern": "todo|later"`;
  throw usage(needed, `${action} needs it, such as {"action": "${action}", ${example}}`);
}

function checkOnly(name: string, index: number): string {
  return checkLength(`only[${index}]`, name, LIMITS.fieldName);
}

function checkItems({ action, notes = [] }: NoteInput): NoteRequest["notes"] {
  if (!Array.isArray(notes)) throw usage("notes", "wanted a list");
  const needed = NEEDS[action] === "notes";
  if (needed && (notes.length === 0 || notes.length > LIMITS.perCall))
    throw usage("notes", `wanted 1 to ${LIMITS.perCall} notes, came ${notes.length}`);
  return notes.map((item, index) => checkItem(item, `notes[${index}]`, action));
}

function checkItem(item: unknown, at: string, action: NoteInput["action"]): NoteRequest["notes"][number] {
  if (typeof item === "string") return { title: checkTitle(at, item), fields: {} };
  if (!isObject(item)) throw usage(at, "wanted a title, or an object with title and fields");
  checkFields(at, item, ["title", "fields"]);
  const { fields } = item;
  const title = checkTitle(`${at}.title`, item.title);
  if (fields === undefined) return { title, fields: {} };
  if (!isObject(fields)) throw usage(`${at}.fields`, "wanted an object of fields by name");
  if (action !== "set") throw usage(`${at}.fields`, `does not go with ${action}; a title is enough`);
  for (const name of Object.keys(fields)) checkLength(`${at}.fields: a name`, name, LIMITS.fieldName);
  // Arguments of a call are JSON.
  return { title, fields: fields as JsonObject };
}

function checkTitle(at: string, value: unknown): string {
  const title = checkLength(at, value, LIMITS.title).trim();
  if (title === "") throw usage(at, "a title is not empty");
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(title)) throw usage(at, "a title is one line without control characters");
  return title;
}

function checkLength(at: string, value: unknown, most: number): string {
  const text = checkText(at, value);
  const length = charactersOf(text);
  if (length > most) throw usage(at, `has ${length} characters; at most ${most} fit`);
  return text;
}

/** Characters, not UTF-16 units. */
export function charactersOf(text: string): number {
  return [...text].length;
}

function usage(argument: string, problem: string): ToolError<"usage"> {
  return new ToolError("usage", `${argument}: ${problem}.`, { argument });
}
