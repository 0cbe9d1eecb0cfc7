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
