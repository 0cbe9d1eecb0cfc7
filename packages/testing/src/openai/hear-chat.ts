import { filledText, isRecord, list, optionalList, optionalText, record, text } from "../decode.js";
import { type Heard, type HeardCall, type HeardMessage, refuse } from "../heard.js";

const ROLES: Readonly<Record<string, HeardMessage["role"]>> = {
  system: "system",
  developer: "system",
  user: "user",
  assistant: "assistant",
  tool: "tool",
};

/** Reads a `/v1/chat/completions` body. */
export function hearOpenAIChat(body: Readonly<Record<string, unknown>>): Heard {
  const messages = list(body.messages, "messages").map((message, index) =>
    hearMessage(message, `messages[${index}]`),
  );
  const tools = optionalList(body.tools, "tools").map((tool, index) => toolName(tool, `tools[${index}]`));
  return { wire: "openai-chat", model: filledText(body.model, "model"), messages, tools, body };
}

function hearMessage(value: unknown, place: string): HeardMessage {
  const message = record(value, place);
  const role =
    ROLES[text(message.role, `${place}.role`)] ?? refuse(`${place}.role`, "a known role", message.role);
  return {
    place,
    role,
    text: contentText(message.content, `${place}.content`),
    calls: optionalList(message.tool_calls, `${place}.tool_calls`).map((call, index) =>
      hearCall(call, `${place}.tool_calls[${index}]`),
    ),
    callId: role === "tool" ? filledText(message.tool_call_id, `${place}.tool_call_id`) : undefined,
    name: optionalText(message.name, `${place}.name`),
  };
}

/** A text, or an array of parts; a part without text counts as its type in brackets. */
export function contentText(content: unknown, place: string): string {
  if (content === undefined || content === null) return "";
  if (typeof content === "string") return content;
  return list(content, place)
    .map((entry, index) => {
      const part = record(entry, `${place}[${index}]`);
      const type = filledText(part.type, `${place}[${index}].type`);
      return isRecord(part) && typeof part.text === "string" ? part.text : `(${type})`;
    })
    .join("\n");
}

function hearCall(value: unknown, place: string): HeardCall {
  const call = record(value, place);
  const called = record(call.function, `${place}.function`);
  return {
    id: filledText(call.id, `${place}.id`),
    name: filledText(called.name, `${place}.function.name`),
    arguments: argumentsOf(called.arguments, `${place}.function.arguments`),
  };
}

/** Arguments as an OpenAI wire carries them: JSON text of an object. */
export function argumentsOf(value: unknown, place: string): unknown {
  const json = text(value, place);
  try {
    return record(JSON.parse(json), place);
  } catch {
    return refuse(place, "the JSON text of an object", value);
  }
}

function toolName(value: unknown, place: string): string {
  const tool = record(value, place);
  const described = record(tool.function, `${place}.function`);
  return filledText(described.name, `${place}.function.name`);
}
