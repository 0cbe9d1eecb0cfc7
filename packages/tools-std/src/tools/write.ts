import type { ToolDescriptions } from "@ashlar/context/tool";
import { writeInputSchema } from "../generated/write-input-schema.js";
import { write } from "../write/write.js";
import type { WriteInput } from "../write/write-input.js";

export { write };

const DESCRIPTION = `Create or overwrite a text file in the working folder, parent folders included. To change part of a file, use edit. Example: {"path": "src/hello.ts", "content": "export const hello = 1;\\n"}`;

export function toolDescription(): ToolDescriptions {
  return {
    write: {
      description: DESCRIPTION,
      inputSchema: writeInputSchema,
      writes: ({ path }: WriteInput) => [path],
    },
  };
}
