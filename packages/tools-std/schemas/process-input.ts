import { z } from "zod";
import type { ProcessInput } from "../src/process/process-input.js";

export const schema: z.ZodType<ProcessInput> = z.strictObject({
  action: z
    .enum(["list", "output", "stop"])
    .describe("List the commands, show the output of one, or stop it."),
  id: z.string().optional().describe("Which command, as bash named it. Needed for output and stop."),
  from: z.int().min(0).optional().describe("Output from this byte on; the result names the next. Default 0."),
});
