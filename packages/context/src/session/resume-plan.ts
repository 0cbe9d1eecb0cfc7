import { toolCallsOf } from "../message/content.js";
import { isMessage } from "../message/guard.js";
import { type ContextItem, MessageType, type ToolCallBlock, type ToolResultMessage } from "../message.js";
import { INTERRUPTED, NEVER_STARTED } from "../request/calls.js";
import type { OpenOperation, StartedCall } from "./journal-state.js";

export interface ResumeInput {
  readonly items: readonly ContextItem[];
  readonly open: OpenOperation | undefined;
  /** What a tool declares today; undefined when there is no such tool any more. */
  readonly replayOf: (name: string) => "never" | "safe" | undefined;
}

/** What to do with the calls that a crash left open, in the order they were asked for. */
export interface ResumePlan {
  /** Calls to run again: declared safe to repeat today, and also when they began. */
  readonly repeat: readonly ToolCallBlock[];
  /** Results that close the other calls and say that they were interrupted. */
  readonly close: readonly ToolResultMessage[];
}

/** Pure. Calls with a result and calls that the provider ran are left alone. */
export function resumePlan({ items, open, replayOf }: ResumeInput): ResumePlan {
  const repeat: ToolCallBlock[] = [];
  const close: ToolResultMessage[] = [];
  for (const call of openCalls(items)) {
    const started = open?.calls.find(({ callId }) => callId === call.callId);
    if (replayOf(call.name) === "safe" && started?.replay !== "never") repeat.push(call);
    else close.push(interrupted(call, started));
  }
  return { repeat, close };
}

/** The calls without a result that a result may still follow, in order. */
export function openCalls(items: readonly ContextItem[]): readonly ToolCallBlock[] {
  const calls = new Map<string, ToolCallBlock>();
  for (const item of items) {
    if (!isMessage(item)) continue;
    if (item.type === MessageType.toolResult) calls.delete(item.callId);
    if (item.type !== MessageType.assistant) continue;
    for (const call of toolCallsOf(item)) if (call.executed !== true) calls.set(call.callId, call);
  }
  return [...calls.values()];
}

function interrupted(call: ToolCallBlock, started: StartedCall | undefined): ToolResultMessage {
  const text = started === undefined ? NEVER_STARTED : INTERRUPTED;
  return {
    type: MessageType.toolResult,
    callId: call.callId,
    name: call.name,
    content: [{ type: "text", text }],
    error: true,
  };
}
