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
  /** Ids of the changes that can be undone. */
  readonly changes?: readonly string[];
}

export function answerCall(block: ToolCallBlock, answer: ToolAnswer, facts: AnswerFacts = {}): AnsweredCall {
  const { callId, name } = block;
  const { content, error, display, system } = answer;
  const shared = { callId, name, content, ...(display !== undefined && { display }) };
  const { refused, cut, changes = [] } = facts;
  return {
    message: { type: MessageType.toolResult, ...shared, ...(error && { error }) },
    event: {
      type: "tool_result",
      ...shared,
      ...(error && { error }),
      ...(refused !== undefined && { refused }),
      ...(changes.length > 0 && { changes }),
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

const SHOWN_END = 64;

/** What makes two results equal. One text, the usual case, is its own key, so that nothing is copied. */
function resultKey({ content, error }: ToolAnswer): string {
  const keys = content.map((block) => {
    if (block.type === "text") return block.text;
    const data = "content" in block && typeof block.content === "string" ? block.content : "";
    return `${block.type} ${data.length} ${data.slice(0, SHOWN_END)} ${data.slice(-SHOWN_END)}`;
  });
  const [only] = keys;
  if (keys.length === 1 && only !== undefined && !error) return only;
  return [String(error), ...keys].join("\n");
}

function keyOf(args: unknown): string {
  try {
    return canonicalJson(args);
  } catch {
    // Nested beyond what canonical JSON takes; any stable text will do.
    return jsonText(args);
  }
}
