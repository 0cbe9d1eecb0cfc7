import { z } from "zod";
import type { WriteInput } from "../src/write/write-input.js";

export const schema: z.ZodType<WriteInput> = z.strictObject({
  path: z.string().describe("File to write, relative to the working folder, or absolute inside it."),
  content: z.string().describe("The whole new content, as text."),
  ask: z
    .boolean()
    .optional()
    .describe("Ask the person when the content or the place needs consent. Default: such a call is refused."),
});
