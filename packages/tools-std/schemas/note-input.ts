import { z } from "zod";
import { NOTE_LIMITS, type NoteInput } from "../src/note/note-input.js";

const title = z.string().min(1).max(NOTE_LIMITS.title);
const fieldName = z.string().min(1).max(NOTE_LIMITS.fieldName);
const note = z.strictObject({
  title: title.describe("One line, at most 160 characters."),
  fields: z
    .object({})
    .catchall(z.unknown())
    .optional()
    .describe("Up to 32 fields. They are merged into those that the note has; null removes a field."),
});

export const schema: z.ZodType<NoteInput> = z.strictObject({
  action: z
    .enum(["set", "get", "list", "remove", "search"])
    .describe("Make or change notes, show them whole, list titles, remove notes, or find them by a pattern."),
  notes: z
    .array(z.union([title, note]))
    .min(1)
    .max(NOTE_LIMITS.perCall)
    .optional()
    .describe("For set, get and remove: 1 to 20 notes. A title alone is enough, except to set fields."),
  only: z
    .array(fieldName)
    .min(1)
    .max(NOTE_LIMITS.fields)
    .optional()
    .describe("For get, list and search: show these fields only."),
  pattern: z
    .string()
    .min(1)
    .max(NOTE_LIMITS.pattern)
    .optional()
    .describe("For search: a JavaScript regular expression; upper and lower case are the same."),
  field: fieldName.optional().describe('For search: look in this field only; "title" is the title.'),
  max: z
    .int()
    .min(1)
    .max(NOTE_LIMITS.max)
    .optional()
    .describe("For list and search: how many, the last changed first. Default 20, at most 50."),
});
