import { z } from "zod";
import type { ToolRefreshInput } from "../src/refresh/tool-refresh-input.js";

export const schema: z.ZodType<ToolRefreshInput> = z.strictObject({});
