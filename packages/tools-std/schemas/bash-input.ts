import { z } from "zod";
import type { BashInput } from "../src/bash/bash-input.js";

export const schema: z.ZodType<BashInput> = z.strictObject({
  command: z.string().min(1).describe("What bash -c is given. It starts in the working folder every time."),
  timeout: z
    .int()
    .min(1000)
    .optional()
    .describe("Milliseconds after which it is ended. Default 120000, at most 1200000."),
  env: z
    .object({})
    .catchall(z.string())
    .optional()
    .describe('Environment variables to add, such as {"CI": "1"}.'),
  background: z
    .boolean()
    .optional()
    .describe("Let it go on after the call, such as a server; process shows its output and stops it."),
});
