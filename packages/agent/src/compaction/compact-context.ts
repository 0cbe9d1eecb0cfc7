import { estimateTokens, type Usage } from "@ashlar/context";
import { AgentError, isAgentError } from "../agent-error.js";
import type { CompactionReason } from "../loop/stream-event.js";
import { errorText } from "../loop/tool-value.js";
import { emitRunEvent } from "../run/run-events.js";
import type { RunHost } from "../run/run-host.js";
import { type CompactionPlan, planCompaction } from "./plan.js";
import { type CompactionSizes, compactionSizes } from "./sizes.js";
import { summarizePlan } from "./summarize.js";
import { createSummaryMessage, summaryDetails } from "./summary-message.js";
import { cancelled, type SummaryHost, SummaryRequests } from "./summary-requests.js";
import { writeSummary } from "./write-summary.js";

export type CompactionHost = SummaryHost & Pick<RunHost, "descriptors">;

export interface CompactionOrder {
  readonly reason: CompactionReason;
  /** Tokens; undefined when nobody knows. */
  readonly window: number | undefined;
  /** Tokens of the request that did not fit. */
  readonly needed?: number | undefined;
  readonly focus?: string | undefined;
  /** Tokens of recent messages that stay. */
  readonly keep?: number | undefined;
  readonly signal: AbortSignal;
}

/** What a compaction came to. */
export interface CompactionResult {
  /** `nothing`: there was nothing that a summary could take the place of. */
  readonly status: "compacted" | "nothing";
  /** Tokens of the next request before and after. */
  readonly before: number;
  readonly after: number;
  readonly summary?: string;
  /** Requests that were sent for it, and what they used. */
  readonly requests: number;
  readonly usage?: Usage;
}

/** After a failure the conversation is as it was. */
export interface FailedCompaction extends Pick<CompactionResult, "before" | "requests" | "usage"> {
  readonly status: "failed";
  readonly error: AgentError<"compaction">;
}

/** Puts a summary in the place of old messages. Throws only what the store throws. */
export async function compactContext(
  host: CompactionHost,
  order: CompactionOrder,
): Promise<CompactionResult | FailedCompaction> {
  const { context, emitter, meter } = host;
  const before = meter.measure(context, host.descriptors());
  const planned = planOf(host, order, before);
  if (planned === undefined) return { status: "nothing", before, after: before, requests: 0 };
  const { reason } = order;
  const requests = new SummaryRequests(host, order.signal, "compaction");
  emitRunEvent(emitter, { type: "compaction", phase: "start", reason, before });
  try {
    const summary = await applySummary(host, order, planned, requests);
    meter.reset();
    const after = meter.measure(context, host.descriptors());
    const { spent } = requests;
    emitRunEvent(emitter, { type: "compaction", phase: "end", reason, before, after, summary, ...spent });
    return { status: "compacted", before, after, summary, ...spent };
  } catch (error) {
    const failure = { type: "compaction", phase: "failed", reason, before, error: errorText(error) } as const;
    emitRunEvent(emitter, { ...failure, ...requests.spent });
    if (isCompactionError(error)) return { status: "failed", before, error, ...requests.spent };
    throw error;
  }
}

/** Part of the conversation that stays at most. */
const LARGEST_TAIL = 0.25;
/** Part of what is hidden that its summary may take. */
const LARGEST_SUMMARY = 0.4;

interface Planned {
  readonly plan: CompactionPlan;
  readonly items: readonly object[];
  readonly sizes: CompactionSizes;
  /** Real tokens for one of our estimate. */
  readonly scale: number;
}

function planOf(host: CompactionHost, order: CompactionOrder, before: number): Planned | undefined {
  const { context, meter, policy } = host;
  const { reason, needed = before } = order;
  const window = windowOf(order.window ?? policy.context.assumedWindow, order, needed);
  const sizes = compactionSizes(window);
  const scale = meter.ratio * Math.max(1, needed / Math.max(1, before));
  const items = context.items();
  const room = { manual: Number.POSITIVE_INFINITY, overflow: window, threshold: window * policy.context.cap };
  const plan = planCompaction(items, {
    keep: (order.keep ?? Math.min(sizes.keep, needed * LARGEST_TAIL)) / scale,
    least: (reason === "threshold" ? sizes.least : sizes.leastAsked) / scale,
    room: room[reason] / scale - meter.tools,
    carried: sizes.carried / scale,
  });
  return plan && { plan, items, sizes, scale };
}

/** A window that a request did not fit is smaller than that request, whatever is known of it. */
function windowOf(known: number, { reason }: CompactionOrder, needed: number): number {
  return reason === "overflow" ? Math.min(known, needed) : known;
}

async function applySummary(
  { context }: CompactionHost,
  { focus, signal }: CompactionOrder,
  { plan, items, sizes, scale }: Planned,
  requests: SummaryRequests,
): Promise<string> {
  const size = Math.min(sizes.summary / scale, plan.hiddenTokens * LARGEST_SUMMARY);
  const limits = { request: sizes.request / scale, summary: Math.floor(size), focus };
  const text = await writeSummary(limits.request, (request) =>
    summarizePlan(plan, { ...limits, request }, (prompt) => requests.ask(prompt)),
  );
  if (signal.aborted) throw cancelled();
  const { files, request, firstKept } = plan;
  const summary = createSummaryMessage({ text, files, request });
  if (estimateTokens([summary]) >= plan.hiddenTokens) {
    throw new AgentError("compaction", "The summary is not shorter than what it would take the place of.", {
      reason: "summary",
    });
  }
  if (context.items() !== items) {
    throw new AgentError("compaction", "The conversation was changed while its summary was written.", {
      reason: "changed",
    });
  }
  context.compact({ firstKept, summary, details: summaryDetails(files) });
  await context.flush();
  return text;
}

export function isCompactionError(error: unknown): error is AgentError<"compaction"> {
  return isAgentError(error) && error.kind === "compaction";
}
