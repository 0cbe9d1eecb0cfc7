import type { Fetch } from "@ashlar/context/provider";

export interface TransportRequest {
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
  /** Milliseconds until the connection stands, proxy and TLS included. Default 10,000; 0: no limit. */
  readonly connectTimeoutMs?: number;
}

export interface TransportResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes as they come, read once. Leaving the iteration early, or an abort, closes the socket. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** The one HTTP stack: pooled, one proxy rule, loopback never proxied, redirects refused where credentials ride. */
export interface Transport {
  /**
   * Resolves when the response's headers are there, whatever the status. Rejects with kind `network`, `cancelled`,
   * `usage` (an address or a header that cannot be sent) or `provider` (a redirect that was refused).
   */
  readonly request: (request: TransportRequest) => Promise<TransportResponse>;
  /** Reads the whole body before it resolves; a body over the limit is kind `provider`. */
  readonly fetch: Fetch;
  /** Ends idle connections. */
  readonly close: () => Promise<void>;
}
