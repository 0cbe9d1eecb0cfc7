import type {
  AssistantMessage,
  Block,
  DoneReason,
  RequestErrorKind,
  ResponseEvent,
  Usage,
} from "@ashlar/context";
import type { BudgetRule } from "./budget.js";
import type { ResultKind } from "./exit-code.js";

/** Version of the agent's own stream events; the last event carries it. */
export const STREAM_VERSION = 1;

/** A call is about to run. Calls that are answered without running have a `tool_result` only. */
export interface ToolExecuteEvent {
  readonly type: "tool_execute";
  readonly callId: string;
  readonly name: string;
  readonly arguments: unknown;
}

/** Live output of a running call, for viewers. */
export interface ToolDataEvent {
  readonly type: "tool_data";
  readonly callId: string;
  readonly name: string;
  readonly data: string;
}

/** One for every call, in call order, after the result joined the context. */
export interface ToolResultEvent {
  readonly type: "tool_result";
  readonly callId: string;
  readonly name: string;
  readonly content: readonly Block[];
  readonly error?: true;
  /** Why permission or the sandbox kept the call from running. */
  readonly refused?: string;
  /** Ids of the file changes that can be undone. */
  readonly changes?: readonly string[];
  /** For viewers; the model does not see it. */
  readonly display?: readonly Block[];
}

/** The request before failed and is sent again after `delayMs`. Nothing of it was stored. */
export interface RetryEvent {
  readonly type: "retry";
  /** `auth`: the stored credentials changed. `empty`: the answer held nothing. */
  readonly reason: "failure" | "auth" | "empty";
  /** The attempt to come, counted from 1. */
  readonly attempt: number;
  readonly delayMs: number;
  readonly kind: RequestErrorKind;
  readonly error: string;
  readonly status?: number;
}

/** The provider asked for a longer wait than the retry policy allows; the run ends. */
export interface ThrottledEvent {
  readonly type: "throttled";
  /** Epoch milliseconds. */
  readonly until: number;
  readonly waitMs: number;
}

/** A limit came near (`hint`: the model was told) or was reached (`stop`: no further request). */
export interface BudgetEvent {
  readonly type: "budget";
  readonly action: "hint" | "stop";
  readonly rule: BudgetRule;
  readonly used: number;
  readonly limit: number;
  readonly message: string;
}

/** Why a conversation is compacted: it grew to its threshold, a request did not fit, or somebody asked for it. */
export type CompactionReason = "threshold" | "overflow" | "manual";

/** A summary of old messages is being written. `end` or `failed` follows. */
export interface CompactionStartEvent {
  readonly type: "compaction";
  readonly phase: "start";
  readonly reason: CompactionReason;
  /** Tokens of the next request as things are. */
  readonly before: number;
}

/** The summary has taken their place. */
export interface CompactionEndEvent {
  readonly type: "compaction";
  readonly phase: "end";
  readonly reason: CompactionReason;
  readonly before: number;
  /** Tokens of the next request now. */
  readonly after: number;
  readonly summary: string;
  /** Requests that were sent for the summary, and what they used. */
  readonly requests: number;
  readonly usage?: Usage;
}

/** The conversation is as it was. */
export interface CompactionFailedEvent {
  readonly type: "compaction";
  readonly phase: "failed";
  readonly reason: CompactionReason;
  readonly before: number;
  readonly error: string;
  readonly requests: number;
  readonly usage?: Usage;
}

export type CompactionEvent = CompactionStartEvent | CompactionEndEvent | CompactionFailedEvent;

/** Something a person should know that changed nothing. */
export interface NoticeEvent {
  readonly type: "notice";
  readonly message: string;
}

/** The last event of every run. */
export interface ResultEvent {
  readonly type: "result";
  readonly version: typeof STREAM_VERSION;
  /** `completed`: the model finished its answer. */
  readonly status: "completed" | "failed" | "cancelled";
  readonly kind: ResultKind;
  readonly exitCode: number;
  /** Requests that were sent, retries included. */
  readonly requests: number;
  /** Tokens of all of them. */
  readonly usage: Usage;
  /** The answer, or what there is of it. */
  readonly message?: AssistantMessage;
  readonly doneReason?: DoneReason;
  readonly error?: string;
  /** HTTP status of the failure. */
  readonly httpStatus?: number;
  /** Epoch milliseconds. */
  readonly throttledUntil?: number;
  /** The limit that stopped the run. */
  readonly stop?: { readonly rule: BudgetRule; readonly used: number; readonly limit: number };
  /** The hook that ended the run after a turn. */
  readonly stoppedBy?: string;
  /** Id of the session that the conversation is kept in. */
  readonly session?: string;
  /** Tools whose last call was refused, with the reason. */
  readonly refused?: readonly { readonly tool: string; readonly reason: string }[];
}

export type AgentEvent =
  | ToolExecuteEvent
  | ToolDataEvent
  | ToolResultEvent
  | RetryEvent
  | ThrottledEvent
  | BudgetEvent
  | CompactionEvent
  | NoticeEvent
  | ResultEvent;

/** One event of a run: those of its responses, and the agent's own. Exactly one `result` ends it. */
export type AgentStreamEvent = ResponseEvent | AgentEvent;
