import { type Context, MessageType, type ResumePlan, type ToolCallBlock } from "@ashlar/context";
import type { ToolInfo } from "@ashlar/env";
import { commitMessage } from "../run/prepare-request.js";
import type { RunHost } from "../run/run-host.js";
import type { RunJournal } from "./run-journal.js";
import { takeNotices } from "./session-binding.js";

const NOTHING: ResumePlan = { repeat: [], close: [] };

/**
 * What a run does first where its conversation is kept: tells what opening it found, ends what a crash interrupted, and
 * begins its own operation. Gives the calls that are to run again; the others have their results.
 */
export function takeUpRun(
  host: RunHost,
  journal: RunJournal,
  tools: ReadonlyMap<string, ToolInfo>,
): readonly ToolCallBlock[] {
  const { context, emitter } = host;
  for (const notice of takeNotices(context)) emitter.notice(notice);
  const { open } = context.journalState;
  const { repeat, close } = open?.purpose === "run" ? planFor(context, tools) : NOTHING;
  // The results come before the end of the operation: what is torn off between them is closed the next time.
  for (const result of close) commitMessage(host, result);
  if (open !== undefined)
    context.journal({ type: "operation_finished", operation: open.id, outcome: "failed" });
  journal.begin();
  if (repeat.length + close.length > 0) emitter.notice(textOf(repeat, close.length));
  return repeat;
}

/** A run leaves at most the calls of its last response open; older ones came from elsewhere. */
function planFor(context: Context, tools: ReadonlyMap<string, ToolInfo>): ResumePlan {
  const last = context.messages().findLast(({ type }) => type === MessageType.assistant);
  const ids = new Set(last?.content.map((block) => (block.type === "toolCall" ? block.callId : undefined)));
  const { repeat, close } = context.resumePlan((name) => tools.get(name)?.replay);
  return {
    repeat: repeat.filter(({ callId }) => ids.has(callId)),
    close: close.filter(({ callId }) => ids.has(callId)),
  };
}

function textOf(repeat: readonly ToolCallBlock[], closed: number): string {
  const again = repeat.length === 0 ? "none" : repeat.map(({ name }) => name).join(", ");
  return `The run before was interrupted. Of its open calls ${closed} are answered as interrupted; run again: ${again}.`;
}
