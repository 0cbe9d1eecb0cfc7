import type { OperationOutcome } from "@ashlar/context";
import { AgentError } from "../agent-error.js";
import type { RunHost } from "../run/run-host.js";
import { Operation } from "../session/operation.js";
import { type CompactionResult, compactContext, type FailedCompaction } from "./compact-context.js";

export interface CompactOptions {
  /** What the summary should keep above all. */
  readonly focus?: string;
  /** Tokens of recent messages that stay as they are. Default: a tenth of the window, 20,000 or a quarter of all, whichever is least. */
  readonly keep?: number;
  /** Cancels it. */
  readonly signal?: AbortSignal;
}

/** Throws kind `usage` for a focus that says nothing. */
export function checkFocus(what: string, focus: string | undefined): void {
  if (focus === undefined || (typeof focus === "string" && focus.trim() !== "")) return;
  throw wrong(what, "focus", "a text that is not blank");
}

/** Compacts a conversation that rests. Throws kind `usage`, kind `compaction` when no summary came of it, and what the store throws. */
export async function compactByHand(
  host: RunHost,
  options: CompactOptions,
  signal: AbortSignal,
): Promise<CompactionResult> {
  const { focus, keep } = options;
  checkFocus("agent.compact", focus);
  if (keep !== undefined && !(Number.isInteger(keep) && keep >= 0))
    throw wrong("agent.compact", "keep", "a whole number of tokens from 0");
  const { context } = host;
  const operation = Operation.begin(context, "compaction");
  const report = await compactContext(host, { reason: "manual", window: host.window(), focus, keep, signal });
  operation.finish(outcomeOf(report));
  await context.flush();
  if (report.status === "failed") throw report.error;
  return report;
}

function outcomeOf(report: CompactionResult | FailedCompaction): OperationOutcome {
  if (report.status !== "failed") return "completed";
  return report.error.details.reason === "cancelled" ? "cancelled" : "failed";
}

function wrong(what: string, argument: string, wanted: string): AgentError<"usage"> {
  return new AgentError("usage", `${what}: ${argument} must be ${wanted}.`, { argument });
}
