import type {
  Block,
  DoneEvent,
  ErrorEvent,
  Message,
  ResponseEvent,
  ToolResultMessage,
  UserMessage,
} from "@ashlar/context";
import type { EventKey } from "@ashlar/env";
import type {
  BudgetEvent,
  CompactionEndEvent,
  CompactionFailedEvent,
  CompactionStartEvent,
  ResultEvent,
  RetryEvent,
  ToolExecuteEvent,
} from "./loop/stream-event.js";

type Response<T extends ResponseEvent["type"]> = Extract<ResponseEvent, { readonly type: T }>;

/** What an agent tells about itself, by event name. Events of a response are the very objects of its stream. */
export interface AgentEventPayloads {
  REQUEST_START: Response<"start">;
  TEXT_START: Response<"text_start">;
  TEXT_DELTA: Response<"text_delta">;
  TEXT_END: Response<"text_end">;
  THINKING_START: Response<"thinking_start">;
  THINKING_DELTA: Response<"thinking_delta">;
  THINKING_END: Response<"thinking_end">;
  TOOL_CALL_START: Response<"tool_call_start">;
  TOOL_CALL_DELTA: Response<"tool_call_delta">;
  TOOL_CALL_END: Response<"tool_call_end">;
  /** The provider ran a call itself. */
  TOOL_CALL_RESULT: Response<"tool_call_result">;
  /** After usage is counted and the message is stored. */
  REQUEST_DONE: DoneEvent;
  REQUEST_ERROR: ErrorEvent;
  /** The stored message. */
  MESSAGE_COMMITTED: Message;
  LOG: string;
  TOOL_EXECUTE: ToolExecuteEvent;
  TOOL_DATA: { readonly call: { readonly callId: string; readonly name: string }; readonly chunk: string };
  TOOL_RESULT: { readonly result: ToolResultMessage; readonly display?: readonly Block[] };
  RETRY: RetryEvent;
  THROTTLED: { readonly until: number };
  BUDGET: BudgetEvent;
  COMPACTION_START: CompactionStartEvent;
  COMPACTION_END: CompactionEndEvent | CompactionFailedEvent;
  /** The end of a run. */
  RESULT: ResultEvent;
  /** A queued message joined the context. */
  SENT_MESSAGE: UserMessage;
  CHILD_ADDED: { readonly name: string };
  CHILD_REMOVED: { readonly name: string };
  /** Nothing new begins; what is under way goes on. */
  CLOSE_MARKED: undefined;
  CLOSED: undefined;
}
export type AgentEventName = keyof AgentEventPayloads;

const NAMES: readonly AgentEventName[] = [
  "REQUEST_START",
  "TEXT_START",
  "TEXT_DELTA",
  "TEXT_END",
  "THINKING_START",
  "THINKING_DELTA",
  "THINKING_END",
  "TOOL_CALL_START",
  "TOOL_CALL_DELTA",
  "TOOL_CALL_END",
  "TOOL_CALL_RESULT",
  "REQUEST_DONE",
  "REQUEST_ERROR",
  "MESSAGE_COMMITTED",
  "LOG",
  "TOOL_EXECUTE",
  "TOOL_DATA",
  "TOOL_RESULT",
  "RETRY",
  "THROTTLED",
  "BUDGET",
  "COMPACTION_START",
  "COMPACTION_END",
  "RESULT",
  "SENT_MESSAGE",
  "CHILD_ADDED",
  "CHILD_REMOVED",
  "CLOSE_MARKED",
  "CLOSED",
];

export type AgentEventKeys = { readonly [Name in AgentEventName]: EventKey<AgentEventPayloads[Name]> };

function createKeys(): AgentEventKeys {
  const keys = Object.fromEntries(NAMES.map((name) => [name, Symbol(`Agent.EVENT.${name}`)]));
  // The payload's type is a brand of the compiler only; at run time a key is a plain Symbol.
  return Object.freeze(keys) as AgentEventKeys;
}

/** The keys for `onEvent`. */
export const AGENT_EVENT: AgentEventKeys = createKeys();
