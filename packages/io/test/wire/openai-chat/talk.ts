import { isObject, type Message, MessageType } from "@ashlar/context";
import { isIOError } from "../../../src/io-error.js";
import { chatWire } from "../../../src/wire/openai-chat/index.js";
import { wireContext } from "../wire-context.js";

export const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

export const TALK: readonly Message[] = [
  { type: MessageType.system, content: [{ type: "text", text: "Be brief." }] },
  { type: MessageType.user, content: [{ type: "text", text: "look" }] },
  {
    type: MessageType.assistant,
    content: [
      { type: "thinking", text: "hm" },
      { type: "toolCall", callId: "call-1", name: "read", arguments: { path: "a" } },
      { type: "toolCall", callId: "call-2", name: "read", arguments: { path: "b" } },
    ],
  },
  result("call-1", [
    { type: "text", text: "a picture" },
    { type: "image", content: PNG },
  ]),
  result("call-2", [{ type: "text", text: "B" }]),
  { type: MessageType.assistant, content: [{ type: "text", text: "Done." }] },
  { type: MessageType.user, content: [{ type: "text", text: "thanks" }] },
];

export const TOOL = {
  name: "read",
  description: "Reads.",
  inputSchema: { type: "object", properties: { path: { type: "string" } } },
};

export function result(callId: string, content: Extract<Message, { type: 4 }>["content"]): Message {
  return { type: MessageType.toolResult, callId, name: "read", content };
}

export function request(
  context: readonly Message[],
  io: Parameters<typeof wireContext>[0] = {},
): Readonly<Record<string, unknown>> {
  const [, body] = chatWire.context2msg(context, wireContext(io));
  return isObject(body) ? body : {};
}

/** What the translation throws, when that is an error of ours. */
export function refusalOf(context: readonly Message[], io: Parameters<typeof wireContext>[0] = {}): unknown {
  try {
    chatWire.context2msg(context, wireContext(io));
  } catch (error) {
    if (isIOError(error)) return error;
    throw error;
  }
  return "nothing was refused";
}
