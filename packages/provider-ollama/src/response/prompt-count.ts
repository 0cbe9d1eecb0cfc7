import type { Usage } from "@ashlar/context";
import type { FrameEnd } from "./chat-frame.js";

/** Smaller differences are within the error of an estimate. */
const SMALLEST_LOSS_TOKENS = 2048;

export interface PromptCount {
  readonly usage: Usage | undefined;
  /** Tokens in the window after the answer, when the server measured them. */
  readonly used: number | undefined;
  /** Far fewer tokens were counted than were sent. */
  readonly low: boolean;
}

/** Weighs the server's counts against what was sent. A count of a cut prompt is no measurement, so an estimate takes its place. */
export function weighCounts(
  { promptTokens, cachedTokens, outputTokens }: FrameEnd,
  estimated: number,
): PromptCount {
  if (promptTokens === undefined || outputTokens === undefined)
    return { usage: undefined, used: undefined, low: false };
  const low = promptTokens * 2 < estimated && estimated - promptTokens >= SMALLEST_LOSS_TOKENS;
  if (low)
    return { usage: { inputTokens: estimated, outputTokens, source: "estimate" }, used: undefined, low };
  const cached =
    cachedTokens === undefined ? {} : { cachedInputTokens: Math.min(cachedTokens, promptTokens) };
  return {
    usage: { inputTokens: promptTokens, outputTokens, ...cached, source: "provider" },
    used: promptTokens + outputTokens,
    low,
  };
}

export function cutPromptWarning(counted: number, estimated: number, window: number): string {
  return `Ollama counted ${counted} prompt tokens where about ${estimated} were sent: it has cut the prompt to fit its window (${window} tokens were asked for). The answer may miss what was cut.`;
}
