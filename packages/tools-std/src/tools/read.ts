import type { ToolDescriptions, ToolSettings } from "@ashlar/context/tool";
import { readInputSchema } from "../generated/read-input-schema.js";
import { read } from "../read/read.js";
import { readSettings } from "../read/read-budget.js";
import type { ReadInput } from "../read/read-input.js";

export { read };

const DESCRIPTION = `Read a file, list a folder, or search files of the project. A text file comes with line numbers; an image comes as an image; a folder is listed. Results are bounded and say how to get the rest. Example: {"path": "src", "glob": "*.ts", "search": {"text": "retry"}}`;

export function toolDescription(): ToolDescriptions {
  return {
    read: {
      safe: true,
      readOnly: ({ target }: ReadInput) => target === undefined,
      writes: ({ target }: ReadInput) => (target === undefined ? [] : [target]),
      replay: "safe",
      description: DESCRIPTION,
      inputSchema: readInputSchema,
    },
  };
}

export function settingsSchema(): ToolSettings {
  return readSettings();
}
