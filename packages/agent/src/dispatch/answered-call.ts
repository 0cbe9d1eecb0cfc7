import { canonicalJson, MessageType, type ToolCallBlock, type ToolResultMessage } from "@ashlar/context";
import { jsonText } from "../loop/json-text.js";
import type { CallOutcome } from "../loop/loop-step.js";
import type { ToolResultEvent } from "../loop/stream-event.js";
import type { ToolAnswer } from "../loop/tool-value.js";

/** A call that has its one answer, from its tool or instead of it. */
export interface AnsweredCall {
  readonly message: ToolResultMessage;
  readonly event: ToolResultEvent;
  readonly outcome: CallOutcome;
  readonly system: readonly string[];
}

export interface AnswerFacts {
  /** As they were understood; absent when they were not. */
  readonly args?: unknown;
  readonly cut?: boolean;
  readonly refused?: string | undefined;
  /** It ran and may have changed something. */
  readonly changed?: boolean;
}

export function answerCall(block: ToolCallBlock, answer: ToolAnswer, facts: AnswerFacts = {}): AnsweredCall {
  const { callId, name } = block;
  const { content, error, display, system } = answer;
  const shared = { callId, name, content, ...(display !== undefined && { display }) };
  const { refused, cut } = facts;
  return {
    message: { type: MessageType.toolResult, ...shared, ...(error && { error }) },
    event: {
      type: "tool_result",
      ...shared,
      ...(error && { error }),
      ...(refused !== undefined && { refused }),
    },
    outcome: {
      name,
      argumentsKey: keyOf(facts.args ?? block.arguments),
      resultKey: resultKey(answer),
      changed: facts.changed === true && !error,
      succeeded: !error,
      ...(refused !== undefined && { refused }),
      ...(cut === true && { cut }),
    },
    system,
  };
}

/** One text, the usual case, is its own key: nothing is copied. */
function resultKey({ content, error }: ToolAnswer): string {
  const [first] = content;
  if (content.length === 1 && first?.type === "text" && !error) return first.text;
  return jsonText([error, content]);
}

function keyOf(args: unknown): string {
  try {
    return canonicalJson(args);
  } catch {
    // Nested beyond what canonical JSON takes; any stable text will do.
    return jsonText(args);
  }
}
