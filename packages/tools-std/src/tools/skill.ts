import type { ToolDescriptions } from "@ashlar/context/tool";
import { skillInputSchema } from "../generated/skill-input-schema.js";
import { skill } from "../skill/skill.js";
import { publishedSkills } from "../skill/skill-list.js";

export { skill };

const DESCRIPTION = `Load skills: instructions for a kind of task. When one fits what you are asked to do, load it before you begin. Example: {"names": ["release-notes"]}`;

export function toolDescription(): ToolDescriptions {
  return {
    skill: {
      safe: true,
      replay: "safe",
      description: DESCRIPTION,
      inputSchema: skillInputSchema,
      supplement: publishedSkills,
    },
  };
}
