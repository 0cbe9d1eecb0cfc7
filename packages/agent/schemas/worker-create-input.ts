import { z } from "zod";
import type { WorkerCreateInput } from "../src/worker-tools/worker-input.js";

export const schema: z.ZodType<WorkerCreateInput> = z.strictObject({
  workers: z
    .array(
      z.strictObject({
        name: z.string().min(1).max(64).describe("Letters and digits; unlike that of any other agent."),
        model: z.string().optional().describe('Another model, as "endpoint/model".'),
        thinking: z.string().optional().describe("none, minimal, low, medium, high, xhigh or max."),
        description: z.string().max(500).optional().describe("What it is for, in a sentence."),
        safe: z.boolean().optional().describe("True: it may only read."),
        subfolder: z.string().optional().describe("The only folder it may write in; default: yours."),
      }),
    )
    .min(1)
    .max(64)
    .describe("The workers to make."),
  prompt: z
    .string()
    .optional()
    .describe("The task, the same for all of them, with all that they have to know. Without it they wait."),
});
