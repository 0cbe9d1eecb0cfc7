import type { BlockEvent, ErrorEvent, ResponseEvent } from "@ashlar/context";
import { pieces } from "./pieces.js";
import type { ErrorStep, ToolCallStep } from "./script.js";
import type { SpokenStep, SpokenTurn } from "./spoken-turn.js";

export interface PlaybackOptions {
  /** Ends the playback, also in the middle of a delay, by throwing its reason. */
  readonly signal: AbortSignal;
  readonly inputTokens: number;
  readonly outputTokens: (text: string) => number;
}

/** Plays one turn as the events of one response, the terminal one included. */
export async function* play(turn: SpokenTurn, options: PlaybackOptions): AsyncGenerator<ResponseEvent> {
  let contentIndex = 0;
  let spoken = "";
  let calls = 0;
  for (const step of turn) {
    options.signal.throwIfAborted();
    if ("delay" in step) {
      await pause(step.delay, options.signal);
    } else if ("error" in step) {
      yield failure(step);
      return;
    } else {
      if ("toolCall" in step) calls += 1;
      for (const event of blockEvents(step, contentIndex)) {
        options.signal.throwIfAborted();
        yield event;
      }
      spoken +=
        "toolCall" in step ? JSON.stringify(step.toolCall) : "text" in step ? step.text : step.thinking;
      contentIndex += 1;
    }
  }
  yield {
    type: "done",
    doneReason: calls > 0 ? "toolCalls" : "stop",
    usage: {
      inputTokens: options.inputTokens,
      outputTokens: options.outputTokens(spoken),
      source: "estimate",
    },
  };
}

function* blockEvents(
  step: Exclude<SpokenStep, { delay: number } | ErrorStep>,
  contentIndex: number,
): Generator<BlockEvent> {
  if ("toolCall" in step) {
    yield* toolCallEvents(step, contentIndex);
  } else if ("text" in step) {
    yield { type: "text_start", contentIndex };
    for (const text of pieces(step.text)) yield { type: "text_delta", contentIndex, text };
    yield { type: "text_end", contentIndex };
  } else {
    yield { type: "thinking_start", contentIndex };
    for (const text of pieces(step.thinking)) yield { type: "thinking_delta", contentIndex, text };
    yield { type: "thinking_end", contentIndex };
  }
}

function* toolCallEvents({ toolCall }: ToolCallStep, contentIndex: number): Generator<BlockEvent> {
  const { name, callId = "" } = toolCall;
  yield { type: "tool_call_start", contentIndex, callId, name };
  // A string stands for arguments that are no JSON: it is streamed as it is written.
  const json =
    typeof toolCall.arguments === "string" ? toolCall.arguments : JSON.stringify(toolCall.arguments ?? {});
  for (const fragment of pieces(json)) yield { type: "tool_call_delta", contentIndex, arguments: fragment };
  yield { type: "tool_call_end", contentIndex };
}

function failure({ error }: ErrorStep): ErrorEvent {
  if (typeof error === "string") return { type: "error", error, kind: "provider" };
  const { message, kind = "provider", ...facts } = error;
  return { type: "error", error: message, kind, ...facts, ...(kind === "cancelled" && { cancelled: true }) };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
  });
}
