import type { JsonValue } from "@ashlar/context";
import type { ToolContext } from "@ashlar/context/tool";
import { readBudget } from "../read/read-budget.js";
import { expressionOf } from "../read/search/expression.js";
import { createPatternTester } from "../read/search/pattern-tester.js";
import { isToolError, ToolError } from "../tool-error.js";
import type { NoteRequest } from "./note-request.js";
import type { Note } from "./notes.js";

const GROUP = "notes";
const PLACE = { argument: "pattern", advice: "Put \\ before characters that are meant as they stand." };

/** The notes in whose title or fields the pattern matches. Throws kind `usage` for a pattern that is none, `timeout`. */
export async function searchNotes(
  notes: readonly Note[],
  { pattern, field }: NoteRequest,
  { env, signal }: ToolContext,
): Promise<readonly Note[]> {
  const limitMs = readBudget(env.settings).regexMs;
  const groups = { [GROUP]: [expressionOf(pattern, true, PLACE)] };
  const tester = createPatternTester({ groups, limitMs, signal });
  try {
    const places = notes.flatMap((note) => textsOf(note, field).map((text) => ({ note, text })));
    const matches = await tester.matches(
      GROUP,
      places.map(({ text }) => text),
    );
    return [...new Set(places.filter((_, index) => matches[index] === true).map(({ note }) => note))];
  } catch (cause) {
    throw inWordsOfNotes(cause, limitMs);
  } finally {
    await tester.close();
  }
}

/** The title, and each field: a text as it is, anything else as JSON. */
function textsOf({ title, fields }: Note, field: string | undefined): readonly string[] {
  const named: readonly (readonly [string, JsonValue])[] = [["title", title], ...Object.entries(fields)];
  return named
    .filter(([name]) => field === undefined || name === field)
    .map(([, value]) => (typeof value === "string" ? value : JSON.stringify(value)));
}

/** The thread of patterns speaks of `read`. */
function inWordsOfNotes(cause: unknown, limitMs: number): unknown {
  if (!isToolError(cause)) return cause;
  if (cause.kind === "cancelled")
    return new ToolError("cancelled", "The search was cancelled.", {}, { cause });
  if (cause.kind !== "timeout") return cause;
  return new ToolError(
    "timeout",
    `The pattern took longer than ${limitMs} ms (setting read.regexMs). Use a simpler one.`,
    { limitMs },
    { cause },
  );
}
