import { type Context, isRecord, MessageType } from "@ashlar/context";
import type { JsonValue, ToolRecords } from "@ashlar/context/tool";
import { AgentError } from "../agent-error.js";

/** JSON text of one record, in UTF-16 units. */
const MAX_CHARACTERS = 1_048_576;

/** The records of one tool in a conversation: of its own types only, and none more once its call is over. */
export function callRecords(context: Context, tool: string, live: { readonly open: boolean }): ToolRecords {
  return {
    latest: async (type) => {
      checkType(type, tool);
      for (let position = context.length - 1; position >= 0; position -= 1) {
        const item = context.at(position);
        // A context takes JSON only.
        if (isRecord(item) && item.type === type) return item.value as JsonValue | undefined;
      }
      return undefined;
    },
    append: async (type, value) => {
      checkType(type, tool);
      const size = JSON.stringify(value)?.length ?? 0;
      if (size > MAX_CHARACTERS) {
        throw refused("value", `the record ${type} has ${size} characters; at most ${MAX_CHARACTERS} fit`);
      }
      if (!live.open) throw refused("type", `the call is over, so the record ${type} was not added`);
      context.append({ type, value });
    },
    holds: async (callId) => holdsCall(context, callId),
  };
}

/** The call stands in the conversation, and its result, where there is one, is no failure. */
function holdsCall(context: Context, callId: string): boolean {
  for (const message of context.messages().toReversed()) {
    const { type, content } = message;
    if (type === MessageType.toolResult && message.callId === callId) return message.error !== true;
    const isCall = content.some((block) => block.type === "toolCall" && block.callId === callId);
    if (type === MessageType.assistant && isCall) return true;
  }
  return false;
}

/** Throws kind `usage` for a record that belongs to another tool or to the host. */
function checkType(type: string, tool: string): void {
  const own = `tool:${tool}`;
  if (type === own || (typeof type === "string" && type.startsWith(`${own}:`))) return;
  throw refused("type", `${JSON.stringify(type)} is no record of ${tool}; its types are ${own} and ${own}:…`);
}

function refused(argument: string, problem: string): AgentError<"usage"> {
  return new AgentError("usage", `records: ${problem}.`, { argument });
}
