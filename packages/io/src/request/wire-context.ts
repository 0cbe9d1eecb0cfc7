import { estimateTokens, type TokenCalibration } from "@ashlar/context";
import type { AuthRecord, PlanUsage, WireContext } from "@ashlar/context/provider";
import type { Connection } from "@ashlar/env";
import type { RequestOptions } from "./request-options.js";

export interface WireContextOptions {
  readonly connection: Connection;
  readonly auth: AuthRecord | undefined;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly thinking: string | undefined;
  readonly request: RequestOptions;
  readonly signal: AbortSignal;
  readonly session: Map<string, unknown>;
  readonly calibration: TokenCalibration;
  readonly onContextUsage: WireContext["reportContextUsage"];
  readonly onPlanUsage: (usage: PlanUsage) => void;
  readonly onWarning: (text: string) => void;
}

/** What the wire side of a provider sees of its host. Calls of `fetch` end with the request. */
export function createWireContext(options: WireContextOptions): WireContext {
  const { connection, request, signal, calibration } = options;
  const { transport } = connection;
  return {
    endpoint: connection.endpoint,
    model: connection.model,
    url: connection.url,
    auth: options.auth,
    settings: options.settings,
    info: connection.info,
    thinking: options.thinking,
    tools: request.tools ?? [],
    format: request.format,
    signal,
    session: options.session,
    fetch: (url, init) =>
      transport.fetch(url, {
        ...init,
        signal: init?.signal === undefined ? signal : AbortSignal.any([signal, init.signal]),
      }),
    estimateTokens: (context) => calibration.apply(estimateTokens(context)),
    reportContextUsage: options.onContextUsage,
    reportPlanUsage: options.onPlanUsage,
    warn: options.onWarning,
  };
}
