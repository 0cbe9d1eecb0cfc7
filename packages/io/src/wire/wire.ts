import type {
  CatalogueQuery,
  ClassifiedError,
  Message,
  ModelMetadata,
  ResponseEvent,
  SendBase,
  WireContext,
  WireMessage,
  WireResponse,
} from "@ashlar/context/provider";

/** How the built-in reader cuts a response body into frames. */
export type Framing = "sse" | "ndjson";

/**
 * A built-in wire: the members that complete a provider class which leaves them out.
 * Stateless; everything that lives for a request is in `state` and `io`.
 */
export interface Wire {
  readonly framing: Framing;
  readonly context2msg: (context: readonly Message[], io: WireContext) => WireMessage;
  /** Resolves with the response for the built-in reader. `base` rejects with an `IOError` that carries `status`. */
  readonly send: (message: WireMessage, base: SendBase, io: WireContext) => Promise<WireResponse | undefined>;
  /**
   * `frame` is one parsed JSON value; SSE frames arrive as their data, `[DONE]` and the end of the body as null.
   * Data of an SSE event named `error` arrives as `{ error: data }` unless it has an `error` or `type` member itself.
   * Never throws for what a server may send: an `error` event says it.
   */
  readonly msg2events: (
    frame: unknown,
    state: Record<string, unknown>,
    io: WireContext,
  ) => readonly ResponseEvent[];
  readonly reportPlanUsage?: (headers: Readonly<Record<string, string>>, io: WireContext) => void;
  readonly classifyError?: (error: unknown, base: (error: unknown) => ClassifiedError) => ClassifiedError;
  /** Catalogue of the endpoint, by model id. */
  readonly models: (query: CatalogueQuery) => Promise<Readonly<Record<string, ModelMetadata>>>;
  /** Strict: rejects when the endpoint or the credentials do not work. */
  readonly testConnection: (query: CatalogueQuery) => Promise<Readonly<Record<string, unknown>>>;
}
