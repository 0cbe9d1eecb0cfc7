import { z } from "zod";
import type { ReadInput } from "../src/read/read-input.js";

const position = z.int();
const range = z.strictObject({ from: position.optional(), to: position.optional() });
const pattern = z.string().min(1).max(4096);
const patterns = z.union([pattern, z.array(pattern).min(1).max(128)]);
const context = z.int().min(0).max(1000);

export const schema: z.ZodType<ReadInput> = z.strictObject({
  path: z
    .string()
    .describe("File or folder, relative to the working folder, or absolute inside the project."),
  offset: z.int().min(0).optional().describe("First line, entry or match to return, from 1."),
  limit: z
    .int()
    .min(1)
    .optional()
    .describe("How many lines, entries or matches. Default 100 entries or matches; lines as fit."),
  lines: z
    .strictObject({ from: position.optional(), to: position.optional(), last: z.int().min(1).optional() })
    .optional()
    .describe(
      "Line range, both ends included, from 1; negative counts from the end; last: 20 gives the last 20.",
    ),
  characters: range.optional().describe("Character range, counted like lines."),
  bytes: range.optional().describe("Byte range, counted like lines."),
  search: z
    .strictObject({
      text: z.string().min(1).max(4096).optional().describe("Literal text."),
      regex: z
        .string()
        .min(1)
        .max(4096)
        .optional()
        .describe("JavaScript regular expression, tried on each line."),
      ignoreCase: z.boolean().optional(),
      invert: z.boolean().optional().describe("Lines that do not match."),
      before: context.optional().describe("Lines of context."),
      after: context.optional(),
    })
    .optional()
    .describe("Find lines in a file, or in all files of a folder. Give text or regex."),
  recursive: z.boolean().optional().describe("Go into sub-folders. Default: with glob or search."),
  glob: patterns.optional().describe('Only these paths, such as "*.ts" (any folder) or "src/**".'),
  exclude: patterns.optional().describe("Not these paths."),
  ignore: z.boolean().optional().describe("Leave out what .gitignore files name."),
  info: z.boolean().optional().describe("Size, time, type and line ends instead of content."),
  annotate: z.boolean().optional().describe("Line numbers. Default true, with target false: the bare text."),
  binary: z.boolean().optional().describe("Attach the file as it is."),
  base64: z.boolean().optional().describe("The bytes as base64 text."),
  target: z
    .string()
    .optional()
    .describe(
      "Save the complete result to this file instead: a file as it is, or the lines, matches or entries asked for.",
    ),
});
