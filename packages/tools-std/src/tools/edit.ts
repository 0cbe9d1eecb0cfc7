import type { ToolDescriptions } from "@ashlar/context/tool";
import { edit } from "../edit/edit.js";
import type { EditInput } from "../edit/edit-input.js";
import { editInputSchema } from "../generated/edit-input-schema.js";

export { edit };

const DESCRIPTION = `Replace exact texts in a file. Each oldText must stand in the file once; line ends, byte order mark and file mode stay. Give the result's edit id as rollback to take a change back. Example: {"path": "src/a.ts", "edits": [{"oldText": "retries = 1", "newText": "retries = 3"}]}`;

export function toolDescription(): ToolDescriptions {
  return {
    edit: {
      description: DESCRIPTION,
      inputSchema: editInputSchema,
      writes: ({ path }: EditInput) => [path],
    },
  };
}
