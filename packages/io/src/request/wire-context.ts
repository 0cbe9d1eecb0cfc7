import type { AuthRecord, Fetch, ModelMetadata, PlanUsage, WireContext } from "@ashlar/context/provider";
import type { Connection } from "@ashlar/env";
import type { Transport } from "@ashlar/env/transport";
import type { RequestOptions } from "./request-options.js";

export interface WireContextOptions {
  readonly connection: Connection;
  readonly info: ModelMetadata;
  readonly auth: AuthRecord | undefined;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly thinking: string | undefined;
  readonly request: RequestOptions;
  readonly signal: AbortSignal;
  readonly session: Map<string, unknown>;
  readonly estimateTokens: WireContext["estimateTokens"];
  readonly onContextUsage: WireContext["reportContextUsage"];
  readonly onPlanUsage: (usage: PlanUsage) => void;
  readonly onWarning: (text: string) => void;
}

/** What the wire side of a provider sees of its host. Calls of `fetch` end with the request. */
export function createWireContext(options: WireContextOptions): WireContext {
  const { connection, request, signal } = options;
  const { transport } = connection;
  return {
    endpoint: connection.endpoint,
    model: connection.model,
    url: connection.url,
    auth: options.auth,
    settings: options.settings,
    info: options.info,
    thinking: options.thinking,
    tools: request.tools ?? [],
    format: request.format,
    signal,
    session: options.session,
    fetch: boundFetch(transport, signal),
    estimateTokens: options.estimateTokens,
    reportContextUsage: options.onContextUsage,
    reportPlanUsage: options.onPlanUsage,
    warn: options.onWarning,
  };
}

/** A fetch that also ends with the request. */
function boundFetch(transport: Transport, signal: AbortSignal): Fetch {
  return async (url, init) => {
    const own = init?.signal;
    if (own === undefined) return transport.fetch(url, { ...init, signal });
    // Node 20 may collect an AbortSignal.timeout that only AbortSignal.any knows of; one with a listener it keeps.
    const keep = (): void => undefined;
    own.addEventListener("abort", keep);
    try {
      return await transport.fetch(url, { ...init, signal: AbortSignal.any([signal, own]) });
    } finally {
      own.removeEventListener("abort", keep);
    }
  };
}
