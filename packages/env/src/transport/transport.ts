import type { Fetch } from "@ashlar/context/provider";

export interface TransportRequest {
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
  /** Milliseconds until the connection stands. */
  readonly connectTimeoutMs?: number;
}

export interface TransportResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes as they come. Leaving the iteration early, or an abort, closes the socket. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** The one HTTP stack: pooled, one proxy rule, loopback never proxied, redirects refused where credentials ride. */
export interface Transport {
  /** Resolves when the response's headers are there, whatever the status. Rejects with kind `network` or `cancelled`. */
  readonly request: (request: TransportRequest) => Promise<TransportResponse>;
  readonly fetch: Fetch;
  /** Ends idle connections. */
  readonly close: () => Promise<void>;
}
