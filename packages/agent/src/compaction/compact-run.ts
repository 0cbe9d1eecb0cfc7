import type { CompactedInput, LoopEffect } from "../loop/loop-step.js";
import { type CompactionHost, compactContext } from "./compact-context.js";

type CompactEffect = Extract<LoopEffect, { readonly type: "compact" }>;

/** Compacts in the middle of a run, and says what the loop has to know of it. */
export async function compactRun(
  host: CompactionHost,
  { reason, window, needed }: CompactEffect,
  signal: AbortSignal,
): Promise<CompactedInput> {
  const report = await compactContext(host, { reason, window, needed, signal });
  const { context, meter } = host;
  return {
    type: "compacted",
    status: report.status === "compacted" ? "done" : report.status,
    tokens: report.status === "failed" ? report.before : report.after,
    largest: meter.largest(context),
    requests: report.requests,
    usage: report.usage,
    ...(report.status === "failed" && { error: report.error.message }),
  };
}
