import type { ToolDescriptions } from "@ashlar/context/tool";
import { noteInputSchema } from "../generated/note-input-schema.js";
import { note } from "../note/note.js";

export { note };

const DESCRIPTION = `Keep notes for yourself in this conversation, such as a plan or what you found out; they stay when older messages are summarised. A note has a title and fields. Example: {"action": "set", "notes": [{"title": "Plan", "fields": {"status": "half done", "next": "run the tests"}}]}`;

export function toolDescription(): ToolDescriptions {
  return { note: { safe: true, description: DESCRIPTION, inputSchema: noteInputSchema } };
}
