import { z } from "zod";
import type { ResourceInput } from "../src/resource/resource-input.js";

export const schema: z.ZodType<ResourceInput> = z.strictObject({
  name: z.string().describe("The skill whose files are wanted."),
  path: z.string().optional().describe("File to read, as the list names it. Leave it out to list them."),
  target: z
    .string()
    .optional()
    .describe("Save the file here instead of showing it: a new file, relative to the working folder."),
  ask: z
    .boolean()
    .optional()
    .describe("Ask the person when the target needs consent. Default: such a call is refused."),
});
