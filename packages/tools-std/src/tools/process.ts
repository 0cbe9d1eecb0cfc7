import type { ToolDescriptions } from "@ashlar/context/tool";
import { processInputSchema } from "../generated/process-input-schema.js";
import { manageProcess } from "../process/process.js";
import type { ProcessInput } from "../process/process-input.js";

export { manageProcess as process };

const DESCRIPTION = `List the commands that bash started in the background, show the output of one, or stop it. Example: {"action": "output", "id": "b1", "from": 4096}`;

export function toolDescription(): ToolDescriptions {
  return {
    process: {
      safe: true,
      readOnly: ({ action }: ProcessInput) => action !== "stop",
      description: DESCRIPTION,
      inputSchema: processInputSchema,
    },
  };
}
