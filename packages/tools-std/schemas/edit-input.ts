import { z } from "zod";
import type { EditInput } from "../src/edit/edit-input.js";

const edit = z.strictObject({
  oldText: z
    .string()
    .min(1)
    .describe("Exact text of the file, white space included, that stands there once. Without line numbers."),
  newText: z.string().describe("What takes its place. Empty removes it."),
});

export const schema: z.ZodType<EditInput> = z.strictObject({
  path: z.string().describe("File to change, relative to the working folder, or absolute inside it."),
  edits: z
    .array(edit)
    .min(1)
    .optional()
    .describe("All are matched against the file as it is now, and either all are made or none."),
  matchAll: z.boolean().optional().describe("Replace every place that matches. Default: there must be one."),
  rollback: z.string().optional().describe("Instead of edits: the edit id of a change to take back."),
  ask: z
    .boolean()
    .optional()
    .describe(
      "Ask the person when the new text or the place needs consent. Default: such a call is refused.",
    ),
});
