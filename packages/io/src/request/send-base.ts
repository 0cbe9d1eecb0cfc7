import { isAshlarError } from "@ashlar/context";
import type { SendBase, WireRequest, WireResponse } from "@ashlar/context/provider";
import type { Transport } from "@ashlar/env/transport";
import type { Clock } from "../clock.js";
import { httpFailure, pageInsteadOfAnswer } from "../failure/http-failure.js";
import { IOError } from "../io-error.js";
import { connectLimit, type Limits, limitError } from "../timeouts.js";
import type { Framing } from "../wire/wire.js";
import { bodyText } from "./body-text.js";

export interface SendBaseOptions {
  readonly transport: Transport;
  readonly framing: Framing;
  readonly selector: string;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Every response, whatever its status. */
  readonly onHeaders: (headers: Readonly<Record<string, string>>) => void;
}

const ACCEPT: Readonly<Record<Framing, string>> = {
  sse: "text/event-stream",
  ndjson: "application/x-ndjson",
};

/** The plain transport that a provider's `send` may wrap: resolves with a success, rejects with an `IOError`. */
export function createSendBase(options: SendBaseOptions): SendBase {
  const { selector, clock } = options;
  return async (request) => {
    const response = await requestOnce(request, options);
    options.onHeaders(response.headers);
    const asked = { method: request.method ?? "POST", url: request.url, selector };
    if (response.status < 200 || response.status > 299) throw await httpFailure(response, asked, clock);
    if (/^\s*text\/html\b/i.test(response.headers["content-type"] ?? "")) {
      throw await pageInsteadOfAnswer(response, asked, clock);
    }
    return response;
  };
}

async function requestOnce(request: WireRequest, options: SendBaseOptions): Promise<WireResponse> {
  const { transport, selector, limits, clock, signal, framing } = options;
  const body = bodyText(request.body);
  const connectTimeoutMs = connectLimit(limits.connectMs, body?.length ?? 0);
  const started = clock.now();
  try {
    return await transport.request({
      url: request.url,
      method: request.method ?? "POST",
      headers: withDefaults(request.headers, {
        ...(body !== undefined && { "content-type": "application/json" }),
        accept: ACCEPT[framing],
      }),
      ...(body !== undefined && { body }),
      signal,
      connectTimeoutMs,
    });
  } catch (error) {
    if (!isAshlarError(error) || error.kind !== "network") throw error;
    const code = codeOf(error.details);
    const waited = clock.now() - started;
    if (code === "ETIMEDOUT" && connectTimeoutMs > 0 && waited >= connectTimeoutMs * 0.9) {
      throw limitError("connectMs", connectTimeoutMs, selector);
    }
    throw new IOError("network", `${selector}: ${error.message}.`, code === undefined ? {} : { code }, {
      cause: error,
    });
  }
}

function withDefaults(
  own: Readonly<Record<string, string>>,
  defaults: Readonly<Record<string, string>>,
): Record<string, string> {
  const named = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  const missing = Object.entries(defaults).filter(([name]) => !named.has(name));
  return { ...own, ...Object.fromEntries(missing) };
}

function codeOf(details: object): string | undefined {
  return "code" in details && typeof details.code === "string" ? details.code : undefined;
}
