import { estimateTokens, type Message } from "@ashlar/context";
import { boundText } from "../loop/bounded-text.js";
import { conversationPieces } from "./conversation-text.js";
import type { CompactionPlan } from "./plan.js";
import { CHARACTERS_PER_TOKEN } from "./sizes.js";
import { type SummarySubject, summaryPrompt } from "./summary-prompt.js";
import { chunkTexts } from "./text-chunks.js";

/** Sizes in our own estimate of tokens, uncorrected. */
export interface SummaryLimits {
  /** What one request may hold. */
  readonly request: number;
  readonly summary: number;
  readonly focus?: string | undefined;
}

/** Sends one request for a summary and gives its text. */
export type AskSummary = (prompt: readonly Message[]) => Promise<string>;

export interface SummaryJob {
  readonly subject: SummarySubject;
  readonly pieces: readonly string[];
  /** The summary of what came before; it is updated. */
  readonly earlier?: string | undefined;
}

const TURN_HEADING = "# The turn under way";
/** Fewer tokens of conversation beside the question are not worth a request. */
const LEAST_CHUNK = 100;

/** Writes the summary of a plan; undefined when the window is too small for the question. */
export async function summarizePlan(
  { earlier, history, turn }: CompactionPlan,
  limits: SummaryLimits,
  ask: AskSummary,
): Promise<string | undefined> {
  const before = earlier?.text;
  const present: SummaryJob = { subject: "turn", pieces: conversationPieces(turn) };
  if (history.length === 0) return summarizePieces({ ...present, earlier: before }, limits, ask);
  const past: SummaryJob = {
    subject: "conversation",
    pieces: conversationPieces(history),
    earlier: before,
  };
  const summary = await summarizePieces(past, limits, ask);
  if (turn.length === 0 || summary === undefined) return summary;
  const second = await summarizePieces(present, limits, ask);
  return second === undefined ? undefined : `${summary}\n\n${TURN_HEADING}\n\n${second}`;
}

/** One request for each part that fits the window, each updating the summary of the parts before. */
export async function summarizePieces(
  { subject, pieces, earlier }: SummaryJob,
  limits: SummaryLimits,
  ask: AskSummary,
): Promise<string | undefined> {
  const { focus, summary: size } = limits;
  const most = size * CHARACTERS_PER_TOKEN * 2;
  const question = (text: string, before: string | undefined): readonly Message[] =>
    summaryPrompt({
      subject,
      text,
      size,
      focus,
      earlier: before === undefined ? undefined : boundText(before, most),
    });
  const whole = question(pieces.join("\n\n"), earlier);
  if (pieces.length > 0 && estimateTokens(whole) <= limits.request) return ask(whole);
  // The room is the same for all parts, so the longest summary that may come between them counts for each.
  const room = limits.request - estimateTokens(question("", "x".repeat(most)));
  if (room < LEAST_CHUNK) return undefined;
  let summary = earlier;
  for (const chunk of chunkTexts(pieces, room)) {
    summary = await ask(question(chunk, summary));
  }
  return summary ?? "Nothing was said.";
}
