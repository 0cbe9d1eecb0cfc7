import { filledText, list, optionalList, optionalText, record, text } from "../decode.js";
import { type Heard, type HeardCall, type HeardMessage, refuse } from "../heard.js";

const ROLES = ["system", "user", "assistant", "tool"] as const;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const GO_DURATION = /^-?(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$/;
const NUMBER_OPTIONS = ["num_ctx", "num_predict", "temperature", "top_k", "top_p", "seed"];

/** Reads a `/api/chat` body, refusing what the server's Go types would refuse. */
export function hearOllamaChat(body: Readonly<Record<string, unknown>>): Heard {
  checkSettings(body);
  const messages = list(body.messages, "messages").map((message, index) =>
    hearMessage(message, `messages[${index}]`),
  );
  const tools = optionalList(body.tools, "tools").map((tool, index) => toolName(tool, `tools[${index}]`));
  return { wire: "ollama", model: filledText(body.model, "model"), messages, tools, body };
}

function hearMessage(value: unknown, place: string): HeardMessage {
  const message = record(value, place);
  const role =
    ROLES.find((known) => known === message.role) ?? refuse(`${place}.role`, ROLES.join(", "), message.role);
  for (const [index, image] of optionalList(message.images, `${place}.images`).entries()) {
    if (!BASE64.test(text(image, `${place}.images[${index}]`))) {
      refuse(`${place}.images[${index}]`, "base64 without a data: prefix", image);
    }
  }
  const images = optionalList(message.images, `${place}.images`).length;
  const content = optionalText(message.content, `${place}.content`) ?? "";
  return {
    place,
    role,
    text: content === "" && images > 0 ? "(image)" : content,
    calls: optionalList(message.tool_calls, `${place}.tool_calls`).map((call, index) =>
      hearCall(call, `${place}.tool_calls[${index}]`),
    ),
    callId: optionalText(message.tool_call_id, `${place}.tool_call_id`),
    name: optionalText(message.tool_name, `${place}.tool_name`),
  };
}

function hearCall(value: unknown, place: string): HeardCall {
  const call = record(value, place);
  const called = record(call.function, `${place}.function`);
  return {
    id: optionalText(call.id, `${place}.id`),
    name: filledText(called.name, `${place}.function.name`),
    arguments: record(called.arguments, `${place}.function.arguments`),
  };
}

function toolName(value: unknown, place: string): string {
  const tool = record(value, place);
  if (tool.type !== "function") refuse(`${place}.type`, '"function"', tool.type);
  const described = record(tool.function, `${place}.function`);
  record(described.parameters, `${place}.function.parameters`);
  return filledText(described.name, `${place}.function.name`);
}

function checkSettings({ options, keep_alive, think, format }: Readonly<Record<string, unknown>>): void {
  if (options !== undefined) {
    const known = record(options, "options");
    for (const key of NUMBER_OPTIONS) {
      const value = known[key];
      if (value !== undefined && typeof value !== "number") refuse(`options.${key}`, "a number", value);
    }
  }
  if (typeof keep_alive === "string" && !GO_DURATION.test(keep_alive)) {
    refuse("keep_alive", 'a number of seconds or a duration such as "5m"', keep_alive);
  }
  if (think !== undefined && typeof think !== "boolean" && typeof think !== "string") {
    refuse("think", "true, false or a level", think);
  }
  if (format !== undefined && format !== "json" && (typeof format !== "object" || format === null)) {
    refuse("format", '"json" or a JSON Schema', format);
  }
}
