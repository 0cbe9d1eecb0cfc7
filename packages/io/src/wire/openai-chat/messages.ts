import type { AssistantMessage, Block, Message, ToolCallBlock, ToolResultMessage } from "@ashlar/context";
import { MessageType, oncePerMessage } from "@ashlar/context";
import type { ModelMetadata } from "@ashlar/context/provider";
import { imageMedia, mimeOf } from "../media.js";
import { argumentsText, cannotCarry, joinTexts, leftOutNote, type Place } from "../message-parts.js";
import type { ChatMessage, Part } from "./chat-message.js";
import type { ChatCompat } from "./compat.js";
import { joinUserMessages } from "./joined-messages.js";
import { SentIds } from "./sent-ids.js";

const BINARY_REFUSAL = "Chat Completions has no form for files; send it as text or as an image";

/** What stored messages became, for each form: all requests of a conversation repeat them. Frozen, so that their text is made once too. */
const formsOf: (message: Message) => Map<string, readonly ChatMessage[]> = oncePerMessage(() => new Map());

/**
 * The whole context as chat messages. What stands in the context decides, never what follows,
 * so the messages of a grown context begin with the bytes of the shorter one, but for the end of a joined message.
 */
export function chatMessages(
  context: readonly Message[],
  compat: ChatCompat,
  info: ModelMetadata,
): readonly ChatMessage[] {
  const translation = new ChatTranslation(compat, info);
  for (const [index, message] of context.entries()) translation.add(message, index);
  const messages = translation.end();
  return compat.userMessages === "joined" ? joinUserMessages(messages) : messages;
}

class ChatTranslation {
  readonly #compat: ChatCompat;
  readonly #info: ModelMetadata;
  readonly #ids: SentIds;
  /** All that the form of a stored message depends on. */
  readonly #form: string;
  readonly #messages: ChatMessage[] = [];
  /** Images of the tool results since the last other message. */
  #attachments: Part[] = [];

  constructor(compat: ChatCompat, info: ModelMetadata) {
    this.#compat = compat;
    this.#info = info;
    this.#ids = new SentIds(compat.strictToolIds);
    this.#form = [compat.reasoningField, compat.callsOnlyContent, compat.toolResultName].join(" ");
  }

  add(message: Message, index: number): void {
    // Results of parallel calls must follow each other, so their images wait for the last of them.
    if (message.type !== MessageType.toolResult) this.#sendAttachments();
    if (message.type === MessageType.system) this.#addSystem(message.content, index);
    else if (message.type === MessageType.user) this.#addUser(message.content, index);
    else if (message.type === MessageType.assistant)
      this.#messages.push(...this.#once(message, () => this.#assistant(message, index)));
    // An image goes along in a message of its own.
    else if (message.content.every(({ type }) => type === "text"))
      this.#messages.push(...this.#once(message, () => [this.#result(message, index)]));
    else this.#messages.push(this.#result(message, index));
  }

  end(): readonly ChatMessage[] {
    this.#sendAttachments();
    return this.#messages;
  }

  #addSystem(content: readonly Block[], index: number): void {
    refuseKindsBut(["text"], content, index);
    const text = joinTexts(content);
    if (text === "") return;
    const role = this.#compat.developerRole ? "developer" : "system";
    const leading = this.#messages.every((earlier) => earlier.role === role);
    this.#messages.push({
      role: leading || this.#compat.laterSystemRole === "system" ? role : "user",
      content: text,
    });
  }

  #addUser(content: readonly Block[], index: number): void {
    const parts = content.flatMap((block, i) => this.#userPart(block, { message: index, block: i }));
    if (parts.length === 0) return;
    const plain = content.every((block) => block.type === "text");
    this.#messages.push({ role: "user", content: plain ? joinTexts(content) : parts });
  }

  #userPart(block: Block, place: Place): readonly Part[] {
    switch (block.type) {
      case "text":
        return block.text === "" ? [] : [textPart(block.text)];
      case "image": {
        const media = imageMedia(block, this.#info);
        if ("refusal" in media) throw cannotCarry("an image", place, media.refusal);
        return [imagePart(media.url)];
      }
      case "binary":
        throw cannotCarry(`the file ${block.filename ?? ""} (${mimeOf(block)})`, place, BINARY_REFUSAL);
      default:
        throw unknownKind(block, place);
    }
  }

  /** Ids that are numbered anew belong to one request. */
  #once(message: Message, translate: () => readonly ChatMessage[]): readonly ChatMessage[] {
    if (this.#compat.strictToolIds) return translate();
    const forms = formsOf(message);
    const known = forms.get(this.#form);
    if (known !== undefined) return known;
    const sent = translate();
    forms.set(this.#form, sent);
    return sent;
  }

  #assistant({ content }: AssistantMessage, index: number): readonly ChatMessage[] {
    refuseKindsBut(["text", "thinking", "toolCall"], content, index);
    const text = joinTexts(content);
    const calls = content.filter((block): block is ToolCallBlock => block.type === "toolCall");
    if (text === "" && calls.length === 0) return [];
    const message: ChatMessage = {
      role: "assistant",
      content: text !== "" || this.#compat.callsOnlyContent === "empty" ? text : null,
      ...this.#thinking(content),
      ...(calls.length > 0 && { tool_calls: Object.freeze(calls.map((call) => this.#call(call))) }),
    };
    return [Object.freeze(message)];
  }

  #thinking(content: readonly Block[]): Part {
    if (this.#compat.reasoningField === "none") return {};
    const texts = content.flatMap((block) =>
      block.type === "thinking" && block.text !== "" ? [block.text] : [],
    );
    return texts.length === 0 ? {} : { [this.#compat.reasoningField]: texts.join("\n\n") };
  }

  #call({ callId, name, arguments: value }: ToolCallBlock): Part {
    const called = Object.freeze({ name, arguments: argumentsText(value) });
    return Object.freeze({ id: this.#ids.ofCall(callId), type: "function", function: called });
  }

  #result(message: ToolResultMessage, index: number): ChatMessage {
    const texts = message.content.map((block, i) =>
      this.#resultText(block, message, { message: index, block: i }),
    );
    return Object.freeze({
      role: "tool",
      tool_call_id: this.#ids.ofResult(message.callId),
      ...(this.#compat.toolResultName && message.name !== undefined ? { name: message.name } : {}),
      content: texts.filter((text) => text !== "").join("\n\n"),
    });
  }

  /** A result that cannot be sent whole says so to the model; refusing it would end the conversation for good. */
  #resultText(block: Block, { name, callId }: ToolResultMessage, place: Place): string {
    switch (block.type) {
      case "text":
        return block.text;
      case "image": {
        const media = imageMedia(block, this.#info);
        if ("refusal" in media) return leftOutNote("image", media.refusal);
        this.#attachments.push(
          textPart(`Image from the result of ${name ?? "call"} (${callId}):`),
          imagePart(media.url),
        );
        return "[image: in the message after the results]";
      }
      case "binary":
        return leftOutNote(`file ${block.filename ?? ""} (${mimeOf(block)})`, BINARY_REFUSAL);
      default:
        throw unknownKind(block, place);
    }
  }

  #sendAttachments(): void {
    if (this.#attachments.length === 0) return;
    this.#messages.push({ role: "user", content: this.#attachments });
    this.#attachments = [];
  }
}

function textPart(text: string): Part {
  return { type: "text", text };
}

function imagePart(url: string): Part {
  return { type: "image_url", image_url: { url } };
}

function refuseKindsBut(kinds: readonly string[], content: readonly Block[], message: number): void {
  for (const [i, block] of content.entries()) {
    if (!kinds.includes(block.type)) throw unknownKind(block, { message, block: i });
  }
}

function unknownKind(block: Block, place: Place): Error {
  return cannotCarry(`a block of kind "${block.type}"`, place, "Chat Completions has no form for it here");
}
