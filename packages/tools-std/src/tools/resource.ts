import type { ToolDescriptions } from "@ashlar/context/tool";
import { resourceInputSchema } from "../generated/resource-input-schema.js";
import { resource } from "../resource/resource.js";
import type { ResourceInput } from "../resource/resource-input.js";

export { resource };

const DESCRIPTION = `List the files that a skill brings, read one, or save one as a new file in the working folder. Example: {"name": "release-notes", "path": "references/style.md"}`;

export function toolDescription(): ToolDescriptions {
  return {
    resource: {
      safe: true,
      readOnly: ({ target }: ResourceInput) => target === undefined,
      writes: ({ target }: ResourceInput) => (target === undefined ? [] : [target]),
      description: DESCRIPTION,
      inputSchema: resourceInputSchema,
    },
  };
}
