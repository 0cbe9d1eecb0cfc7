import type { ToolDescriptions, ToolFunction } from "@ashlar/context/tool";
import { toolRefreshInputSchema } from "../generated/tool-refresh-input-schema.js";
import { toolRefresh } from "../refresh/tool-refresh.js";

const DESCRIPTION = `Load the host's tools and hooks again after their files or packages have changed, and learn what came, went or failed. Example: {}`;

export function toolDescription(): ToolDescriptions {
  return {
    "tool-refresh": {
      safe: true,
      description: DESCRIPTION,
      inputSchema: toolRefreshInputSchema,
      fn: toolRefresh satisfies ToolFunction<never>,
    },
  };
}
