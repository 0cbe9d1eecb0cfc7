import type { Context, ContextItem, PathEntry, Usage } from "@ashlar/context";
import { AgentError } from "../agent-error.js";
import type { RunHost } from "../run/run-host.js";
import { Operation } from "../session/operation.js";
import { branchItems, branchMaterial, leftEntries } from "./branch-items.js";
import { checkFocus } from "./compact-by-hand.js";
import { isCompactionError } from "./compact-context.js";
import { collectFiles } from "./file-lists.js";
import { compactionSizes } from "./sizes.js";
import { summarizePieces } from "./summarize.js";
import { createBranchMessage, NO_FILES, summaryDetails } from "./summary-message.js";
import { cancelled, SummaryRequests } from "./summary-requests.js";
import { writeSummary } from "./write-summary.js";

/** Part of a request that what happened on the branch may take. */
const MATERIAL = 0.7;

export interface BranchSummaryOptions {
  /** The entry to go to; null is the beginning of the session. */
  readonly to: string | null;
  /** What the summary should keep above all. */
  readonly focus?: string;
  /** Cancels it. */
  readonly signal?: AbortSignal;
}

export interface BranchSummaryResult {
  /** `nothing`: nothing was said on the branch that was left, so the place changed without a summary. */
  readonly status: "summarized" | "nothing";
  /** The entry at which the branch was left. */
  readonly from: string | null;
  readonly summary?: string;
  /** Requests that were sent for it, and what they used. */
  readonly requests: number;
  readonly usage?: Usage;
}

/**
 * Goes to another place of the session and leaves a summary there of the branch that was left, as one step of undo. Throws
 * kind `compaction` when no summary came of it; the place is then as it was.
 */
export async function summarizeBranch(
  host: RunHost,
  options: BranchSummaryOptions,
  signal: AbortSignal,
): Promise<BranchSummaryResult> {
  const { context } = host;
  checkBranchOptions(options);
  const left = leftBranch(context, options.to);
  const operation = Operation.begin(context, "summary");
  const requests = new SummaryRequests(host, signal, "summary");
  try {
    const text = await writeBranch(host, left, requests, options.focus);
    if (signal.aborted) throw cancelled();
    if (context.leaf !== left.from) throw changed();
    go(host, left, text);
    operation.finish("completed");
    await context.flush();
    const { spent } = requests;
    if (text === "") return { status: "nothing", from: left.from, ...spent };
    return { status: "summarized", from: left.from, summary: text, ...spent };
  } catch (error) {
    if (isCompactionError(error)) {
      operation.finish(error.details.reason === "cancelled" ? "cancelled" : "failed");
      await context.flush();
    }
    throw error;
  }
}

/** Throws kind `usage`. */
function checkBranchOptions({ to, focus }: BranchSummaryOptions): void {
  if (to !== null && typeof to !== "string") {
    throw new AgentError("usage", "agent.summarizeBranch: to must be the id of an entry, or null.", {
      argument: "to",
    });
  }
  checkFocus("agent.summarizeBranch", focus);
}

interface LeftBranch {
  readonly from: string | null;
  readonly to: string | null;
  readonly items: readonly ContextItem[];
}

/** Throws kind `usage` for a place that is not held here. */
function leftBranch(context: Context, to: string | null): LeftBranch {
  const { leaf } = context;
  const entries = leftEntries(branchTo(context, leaf), branchTo(context, to));
  return { from: leaf, to, items: branchItems(entries) };
}

function branchTo(context: Context, leaf: string | null): readonly PathEntry[] {
  return leaf === null ? [] : context.entries({ from: leaf, order: "oldest" });
}

/** An empty text: nothing was said there. */
async function writeBranch(
  { window, policy, meter }: RunHost,
  { items }: LeftBranch,
  requests: SummaryRequests,
  focus: string | undefined,
): Promise<string> {
  if (branchMaterial(items, 1).length === 0) return "";
  const sizes = compactionSizes(window() ?? policy.context.assumedWindow);
  const summary = Math.floor(sizes.summary / meter.ratio);
  return writeSummary(sizes.request / meter.ratio, (request) => {
    // The question takes some of the room, too.
    const pieces = branchMaterial(items, request * MATERIAL);
    return summarizePieces({ subject: "branch", pieces }, { request, summary, focus }, (prompt) =>
      requests.ask(prompt),
    );
  });
}

function go({ context, meter }: RunHost, { from, to, items }: LeftBranch, text: string): void {
  const files = collectFiles(items, NO_FILES);
  context.update(() => {
    context.moveTo(to);
    if (text === "" || from === null) return true;
    const message = createBranchMessage({ text, files });
    context.addBranchSummary({ from, message, details: summaryDetails(files) });
    return true;
  });
  meter.reset();
}

function changed(): AgentError<"compaction"> {
  return new AgentError("compaction", "The conversation was changed while its summary was written.", {
    reason: "changed",
  });
}
