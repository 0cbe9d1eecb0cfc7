import { frozenCopy } from "../json/frozen-copy.js";
import { MessageType, type ToolResultMessage } from "../message.js";
import type { Draft, DraftResult } from "./draft.js";

const NO_RESULT: DraftResult = {
  content: [{ type: "text", text: "The provider ran this call but reported no result." }],
  error: true,
};

/** One result message for each executed call, in call order. */
export function resultsOf(drafts: readonly Draft[]): readonly ToolResultMessage[] {
  return Object.freeze(drafts.filter((draft) => draft.executed).map(resultOf));
}

function resultOf(draft: Draft): ToolResultMessage {
  const { content, error } = draft.result ?? NO_RESULT;
  return frozenCopy(
    {
      type: MessageType.toolResult,
      callId: draft.callId,
      ...(draft.name === "" ? {} : { name: draft.name }),
      content,
      ...(error ? { error: true } : {}),
    },
    "result",
  );
}
