import { z } from "zod";
import { MAX_NAMES, type SkillInput } from "../src/skill/skill-input.js";

export const schema: z.ZodType<SkillInput> = z.strictObject({
  names: z
    .array(z.string())
    .max(MAX_NAMES)
    .optional()
    .describe("Skills to load, all or none of them. Leave it out to list what there is."),
});
