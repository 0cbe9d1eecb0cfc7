import type { AssistantMessage, Block, Message, ToolResultMessage } from "@ashlar/context";
import { MessageType } from "@ashlar/context";
import type { ModelMetadata } from "@ashlar/context/provider";
import { imageMedia, mimeOf } from "../media.js";
import { argumentsText, cannotCarry, joinTexts, leftOutNote, type Place } from "../message-parts.js";
import { reasoningItem } from "./reasoning-extra.js";

/** One entry of `input` as it goes on the wire. */
export type InputItem = Readonly<Record<string, unknown>>;

export interface InputOptions {
  readonly endpoint: string;
  readonly info: ModelMetadata;
}

const BINARY_REFUSAL = "of files, the Responses API takes PDF only; send it as text or as an image";

/**
 * The whole context as input items. What stands in the context decides, never what follows,
 * so the items of a grown context begin with the bytes of the shorter one.
 */
export function inputItems(context: readonly Message[], options: InputOptions): readonly InputItem[] {
  return context.flatMap((message, index) => itemsOf(message, index, options));
}

function itemsOf(message: Message, index: number, options: InputOptions): readonly InputItem[] {
  switch (message.type) {
    case MessageType.system:
      return systemItems(message.content, index);
    case MessageType.user:
      return userItems(message.content, index, options.info);
    case MessageType.assistant:
      return assistantItems(message, index, options.endpoint);
    case MessageType.toolResult:
      return [resultItem(message, index, options.info)];
  }
}

function systemItems(content: readonly Block[], message: number): readonly InputItem[] {
  for (const [block, { type }] of content.entries()) {
    if (type !== "text") throw unknownKind(type, { message, block });
  }
  const text = joinTexts(content);
  return text === "" ? [] : [{ type: "message", role: "system", content: [{ type: "input_text", text }] }];
}

function userItems(content: readonly Block[], message: number, info: ModelMetadata): readonly InputItem[] {
  const parts = content.flatMap((block, i): readonly InputItem[] => {
    const place = { message, block: i };
    if (block.type === "text" && block.text === "") return [];
    const part = inputPart(block, place, info);
    if ("refusal" in part) throw cannotCarry(part.what, place, part.refusal);
    return [part.part];
  });
  return parts.length === 0 ? [] : [{ type: "message", role: "user", content: parts }];
}

/** Reasoning is only accepted when what it led to follows it; the last items of an answer that was cut have nothing. */
function assistantItems(
  { content }: AssistantMessage,
  message: number,
  endpoint: string,
): readonly InputItem[] {
  const items: InputItem[] = [];
  let thoughts: InputItem[] = [];
  for (const [i, block] of content.entries()) {
    if (block.type === "thinking") {
      const item = reasoningItem(block, endpoint);
      if (item !== undefined) thoughts.push(item);
      continue;
    }
    const item = answerItem(block, { message, block: i });
    if (item === undefined) continue;
    items.push(...thoughts, item);
    thoughts = [];
  }
  return items;
}

function answerItem(block: Block, place: Place): InputItem | undefined {
  switch (block.type) {
    case "text":
      if (block.text === "") return undefined;
      return { type: "message", role: "assistant", content: [{ type: "output_text", text: block.text }] };
    case "toolCall":
      return {
        type: "function_call",
        call_id: block.callId,
        name: block.name,
        arguments: argumentsText(block.arguments),
      };
    default:
      throw unknownKind(block.type, place);
  }
}

/** A result that cannot be sent whole says so to the model; refusing it would end the conversation for good. */
function resultItem({ content, callId }: ToolResultMessage, message: number, info: ModelMetadata): InputItem {
  const plain = content.every((block) => block.type === "text");
  if (plain) return { type: "function_call_output", call_id: callId, output: joinTexts(content) };
  const output = content.flatMap((block, i): readonly InputItem[] => {
    if (block.type === "text" && block.text === "") return [];
    const part = inputPart(block, { message, block: i }, info);
    return ["refusal" in part ? textPart(leftOutNote(part.what, part.refusal)) : part.part];
  });
  return { type: "function_call_output", call_id: callId, output };
}

type InputPart = { readonly part: InputItem } | { readonly what: string; readonly refusal: string };

function inputPart(block: Block, place: Place, info: ModelMetadata): InputPart {
  switch (block.type) {
    case "text":
      return { part: textPart(block.text) };
    case "image": {
      const media = imageMedia(block, info);
      if ("refusal" in media) return { what: "an image", refusal: media.refusal };
      return { part: { type: "input_image", image_url: media.url, detail: "auto" } };
    }
    case "binary": {
      const type = mimeOf(block);
      const filename = block.filename ?? "file.pdf";
      if (type !== "application/pdf")
        return { what: `the file ${filename} (${type})`, refusal: BINARY_REFUSAL };
      return { part: { type: "input_file", filename, file_data: `data:${type};base64,${block.content}` } };
    }
    default:
      throw unknownKind(block.type, place);
  }
}

function textPart(text: string): InputItem {
  return { type: "input_text", text };
}

function unknownKind(kind: string, place: Place): Error {
  return cannotCarry(`a block of kind "${kind}"`, place, "the Responses API has no form for it here");
}
