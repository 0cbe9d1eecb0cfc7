import { filledText, list, optionalList, optionalText, record } from "../decode.js";
import { type Heard, type HeardCall, type HeardMessage, refuse } from "../heard.js";
import { argumentsOf, contentText } from "./hear-chat.js";

/** Reads a `/v1/responses` body. Calls that follow one another count as one assistant message. */
export function hearOpenAIResponses(body: Readonly<Record<string, unknown>>): Heard {
  const messages: HeardMessage[] = [];
  const instructions = optionalText(body.instructions, "instructions");
  if (instructions !== undefined)
    messages.push({ place: "instructions", role: "system", text: instructions, calls: [] });
  if (typeof body.input === "string") {
    messages.push({ place: "input", role: "user", text: body.input, calls: [] });
  } else {
    for (const [index, item] of list(body.input, "input").entries())
      hearItem(messages, item, `input[${index}]`);
  }
  const tools = optionalList(body.tools, "tools").flatMap((tool, index) =>
    toolNames(tool, `tools[${index}]`),
  );
  return { wire: "openai-responses", model: filledText(body.model, "model"), messages, tools, body };
}

function hearItem(messages: HeardMessage[], value: unknown, place: string): void {
  const item = record(value, place);
  switch (item.type ?? "message") {
    case "message":
      messages.push({
        place,
        role: roleOf(item.role, place),
        text: contentText(item.content, `${place}.content`),
        calls: [],
      });
      return;
    case "function_call":
      addCall(messages, place, {
        id: filledText(item.call_id, `${place}.call_id`),
        name: filledText(item.name, `${place}.name`),
        arguments: argumentsOf(item.arguments, `${place}.arguments`),
      });
      return;
    case "function_call_output":
      messages.push({
        place,
        role: "tool",
        text: contentText(item.output, `${place}.output`),
        calls: [],
        callId: filledText(item.call_id, `${place}.call_id`),
      });
      return;
    case "reasoning":
      return;
    default:
      refuse(`${place}.type`, "message, function_call, function_call_output or reasoning", item.type);
  }
}

function addCall(messages: HeardMessage[], place: string, call: HeardCall): void {
  const last = messages.at(-1);
  if (last?.role !== "assistant") messages.push({ place, role: "assistant", text: "", calls: [call] });
  else messages[messages.length - 1] = { ...last, calls: [...last.calls, call] };
}

function roleOf(role: unknown, place: string): "system" | "user" | "assistant" {
  if (role === "system" || role === "developer") return "system";
  if (role === "user" || role === "assistant") return role;
  return refuse(`${place}.role`, "system, developer, user or assistant", role);
}

/** Hosted tools have no name and are run by the server. */
function toolNames(value: unknown, place: string): string[] {
  const tool = record(value, place);
  return tool.type === "function" ? [filledText(tool.name, `${place}.name`)] : [];
}
