/** Message kinds. 0 is reserved. */
export const MessageType = { system: 1, user: 2, assistant: 3, toolResult: 4 } as const;
export type MessageType = (typeof MessageType)[keyof typeof MessageType];

export interface TextBlock {
  readonly type: "text";
  readonly text: string;
}

export interface ImageBlock {
  readonly type: "image";
  /** Base64, without a `data:` prefix. */
  readonly content: string;
  readonly mimetype?: string;
}

export interface BinaryBlock {
  readonly type: "binary";
  /** Base64, without a `data:` prefix. */
  readonly content: string;
  readonly mimetype?: string;
  /** Base name only. */
  readonly filename?: string;
}

/** Provider extras (a signature, redacted data) ride along unchanged. */
export interface ThinkingBlock {
  readonly type: "thinking";
  readonly text: string;
  readonly [extra: string]: unknown;
}

/** Provider extras ride along unchanged. */
export interface ToolCallBlock {
  readonly type: "toolCall";
  readonly callId: string;
  readonly name: string;
  /** The parsed value; a string is raw text that did not parse as JSON. */
  readonly arguments: unknown;
  /** The provider ran this call itself; it is never run locally. */
  readonly executed?: boolean;
  readonly [extra: string]: unknown;
}

/** Block kinds by their `type`. Declaration merging may add a kind; kinds nobody declared still survive a round trip. */
export interface BlockKinds {
  text: TextBlock;
  image: ImageBlock;
  binary: BinaryBlock;
  thinking: ThinkingBlock;
  toolCall: ToolCallBlock;
}
export type Block = BlockKinds[keyof BlockKinds];

interface MessageBase {
  readonly content: readonly Block[];
  readonly [metadata: string]: unknown;
}

export interface SystemMessage extends MessageBase {
  readonly type: typeof MessageType.system;
}

export interface UserMessage extends MessageBase {
  readonly type: typeof MessageType.user;
}

export interface AssistantMessage extends MessageBase {
  readonly type: typeof MessageType.assistant;
  /** A failed response keeps what arrived beside its error; `retry` is milliseconds. */
  readonly error?: string | { readonly message: string; readonly retry?: number };
  /** Set when the response did not reach its end. */
  readonly incomplete?: boolean;
}

export interface ToolResultMessage extends MessageBase {
  readonly type: typeof MessageType.toolResult;
  readonly callId: string;
  readonly name?: string;
  readonly error?: boolean;
  /** For viewers; never sent to a model. */
  readonly display?: readonly Block[];
}

export type Message = SystemMessage | UserMessage | AssistantMessage | ToolResultMessage;

/** Travels with a context and is never sent to a model. */
export interface ContextRecord {
  readonly type: string;
  readonly [field: string]: unknown;
}

export type ContextItem = Message | ContextRecord;
