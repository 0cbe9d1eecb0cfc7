import {
  type Block,
  type ContextItem,
  isMessage,
  isToolResultMessage,
  type Message,
  MessageType,
  messageErrorText,
} from "@ashlar/context";
import type { BranchItem } from "./branch-items.js";

/** A piece of an item as people see it. */
export type ItemPart =
  /** What a person or a model wrote. */
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly text: string }
  | { readonly type: "call"; readonly callId: string; readonly name: string; readonly args: string }
  | {
      readonly type: "attachment";
      readonly mimetype: string | undefined;
      readonly base64: string;
      readonly name: string;
    }
  | { readonly type: "error"; readonly text: string }
  /** Anything else, as JSON. */
  | { readonly type: "data"; readonly text: string };

/** Who or what an item is from, in one word or two. */
export function speakerOf({ item, origin }: BranchItem): string {
  if (origin === "compaction") return "summary of what came before";
  if (origin === "branch summary") return "summary of another branch";
  return roleOf(item);
}

function roleOf(item: ContextItem): string {
  if (!isMessage(item)) return `record ${item.type}`;
  switch (item.type) {
    case MessageType.system:
      return "system";
    case MessageType.user:
      return "user";
    case MessageType.assistant:
      return "assistant";
    case MessageType.toolResult:
      return typeof item.name === "string" ? `result of ${item.name}` : "result";
    default:
      return "message of an unknown kind";
  }
}

/** True for text that tools and hosts wrote, not people or models. */
export function isMachineText({ item }: BranchItem): boolean {
  return !isMessage(item) || isToolResultMessage(item);
}

/** What an item is made of, in order, its error last. */
export function partsOf({ item }: BranchItem): readonly ItemPart[] {
  if (!isMessage(item)) return [{ type: "data", text: pretty(item) }];
  const parts = item.content.flatMap(partOfBlock);
  const error = errorOf(item);
  return error === undefined ? parts : [...parts, { type: "error", text: error }];
}

function errorOf(message: Message): string | undefined {
  if (message.type === MessageType.toolResult) return message.error === true ? "the call failed" : undefined;
  if (message.type !== MessageType.assistant) return undefined;
  return (
    messageErrorText(message) ??
    (message.incomplete === true ? "the response did not reach its end" : undefined)
  );
}

function partOfBlock(block: Block): readonly ItemPart[] {
  switch (block.type) {
    case "text":
    case "thinking":
      return block.text === "" ? [] : [{ type: block.type, text: block.text }];
    case "toolCall": {
      const args = typeof block.arguments === "string" ? block.arguments : pretty(block.arguments);
      return [{ type: "call", callId: block.callId, name: block.name, args }];
    }
    case "image":
      return [{ type: "attachment", mimetype: block.mimetype, base64: block.content, name: "image" }];
    case "binary":
      return [
        {
          type: "attachment",
          mimetype: block.mimetype,
          base64: block.content,
          name: block.filename ?? "file",
        },
      ];
    default:
      return [{ type: "data", text: pretty(block) }];
  }
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? "";
}

/** Bytes of a base64 text. */
export function bytesOf(base64: string): number {
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  return Math.max(0, Math.floor((base64.length * 3) / 4) - padding);
}

const MAX_DATE = 8.64e15;

/** Epoch milliseconds as `2026-11-30 21:35Z`; a clock may have been anything. */
export function isoMinute(at: number): string {
  return Number.isFinite(at) && Math.abs(at) <= MAX_DATE
    ? `${new Date(at).toISOString().slice(0, 16).replace("T", " ")}Z`
    : "time unknown";
}
