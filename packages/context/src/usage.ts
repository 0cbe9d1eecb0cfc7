/** Tokens of one request, or a sum of them. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Part of `inputTokens` that came from the provider's cache. */
  readonly cachedInputTokens?: number;
  /** `estimate` when the provider did not report both counts. */
  readonly source: "provider" | "estimate";
  /** US dollars; present only when the provider or a price gave it. */
  readonly cost?: number;
}

/** Where a sum starts. */
export const NO_USAGE: Usage = Object.freeze({ inputTokens: 0, outputTokens: 0, source: "provider" });

/** The sum; an `estimate` on either side makes it one. Optional counts are summed where one side has them. */
export function addUsage(a: Usage, b: Usage): Usage {
  const cachedInputTokens = addOptional(a.cachedInputTokens, b.cachedInputTokens);
  const cost = addOptional(a.cost, b.cost);
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    source: a.source === "provider" && b.source === "provider" ? "provider" : "estimate",
    ...(cachedInputTokens === undefined ? {} : { cachedInputTokens }),
    ...(cost === undefined ? {} : { cost }),
  };
}

/** Counts as a provider reported them, unchecked. */
export interface ReportedUsage {
  readonly inputTokens?: unknown;
  readonly outputTokens?: unknown;
  readonly cachedInputTokens?: unknown;
  readonly cost?: unknown;
}

/** The provider's counts when both are finite and not negative, else the estimate; a finite cost is kept either way. */
export function usageFinalize(
  reported: ReportedUsage | undefined,
  estimated: { readonly inputTokens: number; readonly outputTokens: number },
): Usage {
  const inputTokens = count(reported?.inputTokens);
  const outputTokens = count(reported?.outputTokens);
  const cost = count(reported?.cost);
  const withCost = cost === undefined ? {} : { cost };
  if (inputTokens === undefined || outputTokens === undefined) {
    return { ...estimated, source: "estimate", ...withCost };
  }
  const cachedInputTokens = count(reported?.cachedInputTokens);
  const withCached = cachedInputTokens === undefined ? {} : { cachedInputTokens };
  return { inputTokens, outputTokens, ...withCached, source: "provider", ...withCost };
}

/** One line for people: `1,204 in (1,000 cached), 87 out, $0.0123`; an estimate starts with `about`. */
export function usageSummary(usage: Usage): string {
  const cached = usage.cachedInputTokens ? ` (${grouped(usage.cachedInputTokens)} cached)` : "";
  const cost = usage.cost === undefined ? "" : `, $${usage.cost.toFixed(4)}`;
  const about = usage.source === "estimate" ? "about " : "";
  return `${about}${grouped(usage.inputTokens)} in${cached}, ${grouped(usage.outputTokens)} out${cost}`;
}

function addOptional(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0);
}

function count(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function grouped(tokens: number): string {
  return String(Math.round(tokens)).replace(/\B(?=(\d{3})+$)/g, ",");
}
