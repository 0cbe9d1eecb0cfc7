import type { ToolDescriptions } from "@ashlar/context/tool";
import { questionInputSchema } from "../generated/question-input-schema.js";
import { question } from "../question/question.js";

export { question };

const DESCRIPTION = `Ask the person who works with you 1 to 4 questions with answers to choose from, when you cannot go on without. Example: {"questions": [{"question": "Which database?", "header": "Database", "options": [{"label": "SQLite", "description": "One file"}, {"label": "Postgres", "description": "A server"}]}]}`;

export function toolDescription(): ToolDescriptions {
  return {
    question: {
      safe: true,
      interactive: true,
      description: DESCRIPTION,
      inputSchema: questionInputSchema,
    },
  };
}
