import { z } from "zod";
import type { WorkerCloseInput } from "../src/worker-tools/worker-input.js";

export const schema: z.ZodType<WorkerCloseInput> = z.strictObject({
  workers: z
    .array(z.string().min(1))
    .min(1)
    .max(64)
    .describe('Names, patterns such as "/^test-/", or ["*"] for all.'),
});
