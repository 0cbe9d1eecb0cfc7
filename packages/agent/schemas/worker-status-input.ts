import { z } from "zod";
import type { WorkerStatusInput } from "../src/worker-tools/worker-input.js";

export const schema: z.ZodType<WorkerStatusInput> = z.strictObject({
  workers: z.boolean().optional().describe("Your workers and what they do. This is the default."),
  models: z.boolean().optional().describe("The models, and how many more agents each takes now."),
  commands: z.boolean().optional().describe("The /commands that a prompt for a worker may begin with."),
});
