import type { AssistantMessage, Block, ToolResultMessage } from "./message.js";
import type { Usage } from "./usage.js";

/** Version of the event vocabulary; `start` carries it. */
export const EVENTS_VERSION = 1;

/** How a response ended, in the provider-neutral words. `length`: the output limit cut it. */
export type DoneReason = "stop" | "length" | "toolCalls" | "refusal" | "other";

/** The kinds a request can fail with. Frozen: each is an exit code of the command line. */
export type RequestErrorKind = "auth" | "network" | "provider" | "malformed" | "cancelled";

export interface StartEvent {
  readonly type: "start";
  readonly version: typeof EVENTS_VERSION;
  /** Qualified `endpoint/model`. */
  readonly model?: string;
}

export interface TextStartEvent {
  readonly type: "text_start";
  readonly contentIndex: number;
}
export interface TextDeltaEvent {
  readonly type: "text_delta";
  readonly contentIndex: number;
  readonly text: string;
}
/** `text`, when given, is authoritative for the whole block. */
export interface TextEndEvent {
  readonly type: "text_end";
  readonly contentIndex: number;
  readonly text?: string;
}

/** Extras (a signature) are copied onto the thinking block, from start and end. */
export interface ThinkingStartEvent {
  readonly type: "thinking_start";
  readonly contentIndex: number;
  readonly extra?: Readonly<Record<string, unknown>>;
}
export interface ThinkingDeltaEvent {
  readonly type: "thinking_delta";
  readonly contentIndex: number;
  readonly text: string;
}
export interface ThinkingEndEvent {
  readonly type: "thinking_end";
  readonly contentIndex: number;
  readonly text?: string;
  readonly extra?: Readonly<Record<string, unknown>>;
}

export interface ToolCallStartEvent {
  readonly type: "tool_call_start";
  readonly contentIndex: number;
  /** May be empty: ids belong to the agent. */
  readonly callId: string;
  readonly name: string;
  /** The provider runs this call; a `tool_call_result` follows. While it is open the idle timer re-arms. */
  readonly executed?: boolean;
  readonly extra?: Readonly<Record<string, unknown>>;
}
export interface ToolCallDeltaEvent {
  readonly type: "tool_call_delta";
  readonly contentIndex: number;
  /** A fragment of the arguments' JSON text. */
  readonly arguments: string;
}
/** `arguments`, when given, is authoritative: the parsed value, or the raw text. */
export interface ToolCallEndEvent {
  readonly type: "tool_call_end";
  readonly contentIndex: number;
  readonly arguments?: unknown;
  readonly extra?: Readonly<Record<string, unknown>>;
}
/** The result of a call that the provider executed. */
export interface ToolCallResultEvent {
  readonly type: "tool_call_result";
  readonly contentIndex: number;
  readonly content: readonly Block[];
  readonly error?: boolean;
}

/** Terminal: the request succeeded. IO attaches `message`, `usage`, `results` and `warnings`. */
export interface DoneEvent {
  readonly type: "done";
  readonly doneReason?: DoneReason;
  readonly message?: AssistantMessage;
  readonly usage?: Usage;
  /** Results of the calls that the provider executed, in call order. */
  readonly results?: readonly ToolResultMessage[];
  readonly warnings?: readonly string[];
}

/** Terminal: the request failed. `message` holds what arrived before. */
export interface ErrorEvent {
  readonly type: "error";
  readonly error: string;
  readonly kind?: RequestErrorKind;
  readonly status?: number;
  readonly retryAfterMs?: number;
  readonly cancelled?: true;
  /** In tokens. */
  readonly contextOverflow?: { readonly window?: number; readonly needed?: number };
  /** False: never worth a second try, whatever the kind. */
  readonly retryable?: boolean;
  /** The model began and then fell silent for longer than the idle limit. */
  readonly idle?: true;
  readonly message?: AssistantMessage;
  readonly usage?: Usage;
  readonly results?: readonly ToolResultMessage[];
  readonly warnings?: readonly string[];
}

export type TerminalEvent = DoneEvent | ErrorEvent;

export type BlockEvent =
  | TextStartEvent
  | TextDeltaEvent
  | TextEndEvent
  | ThinkingStartEvent
  | ThinkingDeltaEvent
  | ThinkingEndEvent
  | ToolCallStartEvent
  | ToolCallDeltaEvent
  | ToolCallEndEvent
  | ToolCallResultEvent;

/** One event of one response. Exactly one terminal event ends a request; nothing follows it. */
export type ResponseEvent = StartEvent | BlockEvent | TerminalEvent;
