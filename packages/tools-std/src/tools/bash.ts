import type { ToolDescriptions, ToolSettings } from "@ashlar/context/tool";
import { bash } from "../bash/bash.js";
import { bashSettings } from "../bash/bash-settings.js";
import { bashInputSchema } from "../generated/bash-input-schema.js";

export { bash };

const DESCRIPTION = `Run a bash command in the working folder and get its output and exit code. There is no terminal and no input; cd does not last beyond the call; what it leaves running ends with it. Example: {"command": "npm test", "timeout": 300000}`;

export function toolDescription(): ToolDescriptions {
  return { bash: { description: DESCRIPTION, inputSchema: bashInputSchema } };
}

export function settingsSchema(): ToolSettings {
  return bashSettings();
}
