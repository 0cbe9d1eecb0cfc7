import type { WireContext } from "@ashlar/context/provider";

/** What a wire sees of its host, with everything that a test does not care about filled in. */
export function wireContext(given: Partial<WireContext> = {}): WireContext {
  return {
    endpoint: "local",
    model: "m1",
    url: "http://127.0.0.1:1/v1",
    auth: undefined,
    settings: {},
    info: {},
    thinking: undefined,
    tools: [],
    format: undefined,
    signal: new AbortController().signal,
    fetch: () => Promise.reject(new Error("no network in this test")),
    session: new Map(),
    estimateTokens: () => 0,
    reportContextUsage: () => undefined,
    reportPlanUsage: () => undefined,
    warn: () => undefined,
    ...given,
  };
}
