import { z } from "zod";
import type { WorkerMessageInput } from "../src/worker-tools/worker-input.js";

export const schema: z.ZodType<WorkerMessageInput> = z.strictObject({
  workers: z
    .array(z.string().min(1))
    .min(1)
    .max(64)
    .describe('Names, patterns such as "/^test-/", or ["*"] for all.'),
  prompt: z.string().min(1).describe("What they are to do or to know."),
});
