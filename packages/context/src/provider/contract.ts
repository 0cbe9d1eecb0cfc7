import type { RequestErrorKind, ResponseEvent } from "../events.js";
import type { JsonSchema } from "../json.js";
import type { Message } from "../message.js";

/** The number of this contract. A host accepts N and N-1. */
export const PROVIDER_CONTRACT = 1;

/** The part of the standard `fetch` that a provider may use. The host hands it in, with its proxy rule and limits. */
export type Fetch = (url: string, init?: FetchInit) => Promise<FetchResponse>;

export interface FetchInit {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

export interface FetchResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: { readonly get: (name: string) => string | null };
  readonly text: () => Promise<string>;
  readonly json: () => Promise<unknown>;
}

/** Stored credentials. `token` is what goes on the wire; never logged. */
export interface AuthRecord {
  readonly type: "api_key" | "oauth" | "bearer" | "none";
  readonly token?: string;
  readonly refresh?: string;
  /** Epoch milliseconds. */
  readonly expires?: number;
  readonly [extra: string]: unknown;
}

export interface ProviderTool {
  readonly description?: string;
  readonly inputSchema?: JsonSchema;
  /** Runs the tool through the provider; `undefined` falls through to the global tool of that name. */
  readonly run?: (input: {
    readonly args: unknown;
    readonly io: WireContext;
    readonly signal: AbortSignal;
  }) => Promise<string | undefined>;
}

export interface ProviderMetadata {
  readonly label: string;
  readonly capabilities: {
    readonly streaming: boolean;
    /** Native thinking modes, least to most, an off mode first when there is one; empty: no control. */
    readonly thinking: readonly string[];
    readonly thinkingDefault?: string;
    /** May the model call tools; a map adds the provider's own tools by name. */
    readonly tools: boolean | Readonly<Record<string, ProviderTool>>;
  };
  /** Which built-in wire completes the members this class leaves out. Default `openai-responses`. */
  readonly wire?: "openai-responses" | "openai-chat";
  /** How the built-in reader cuts the response into frames. Default: the wire's own, `sse`. */
  readonly framing?: "sse" | "ndjson";
  /** Hidden from listings unless asked for. */
  readonly secret?: boolean;
  /** Milliseconds, 0 for none; see the timeouts of IO. */
  readonly timeout?: number;
  readonly connectTimeout?: number;
  readonly firstEventTimeout?: number;
  readonly stuckTimeout?: number;
}

export interface KnownEndpoint {
  readonly name: string;
  readonly label: string;
  readonly url: string;
  readonly note?: string;
}

export interface ModelMetadata {
  readonly label?: string;
  /** Tokens. */
  readonly contextWindow?: number;
  readonly maxContextWindow?: number;
  /** Output tokens. */
  readonly maxTokens?: number;
  readonly thinking?: readonly string[];
  readonly thinkingDefault?: string;
  /** Input kinds, such as `text` and `image`. */
  readonly input?: readonly string[];
  readonly tools?: boolean;
  readonly secret?: boolean;
  /** US dollars for a million tokens. */
  readonly price?: { readonly input: number; readonly output: number };
}

export interface DetectedEndpoint {
  readonly url: string;
  readonly auth?: AuthRecord;
}

export interface CatalogueQuery {
  readonly url: string;
  readonly auth: AuthRecord | undefined;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  readonly fetch: Fetch;
}

export interface DetectQuery {
  /** Names of the endpoints that are configured already. */
  readonly endpoints: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly fetch: Fetch;
}

export interface LoginInput {
  readonly url: string;
  readonly token?: string;
}

export interface ToolDescriptor {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

/** What the wire side of a provider knows of its host, for the length of one request. */
export interface WireContext {
  /** The endpoint's name and the bare model id. */
  readonly endpoint: string;
  readonly model: string;
  readonly url: string;
  readonly auth: AuthRecord | undefined;
  /** Endpoint, model and request settings, merged. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly info: ModelMetadata;
  /** The native thinking mode to send; undefined: send none. */
  readonly thinking: string | undefined;
  readonly tools: readonly ToolDescriptor[];
  /** A JSON Schema the answer must fit, or `json`. */
  readonly format: JsonSchema | "json" | undefined;
  readonly signal: AbortSignal;
  readonly fetch: Fetch;
  /** Lives as long as the IO object: what is chosen once per session goes here. */
  readonly session: Map<string, unknown>;
  /** Bytes-based estimate of what `context` costs on this model, in tokens. */
  readonly estimateTokens: (context: readonly Message[]) => number;
  /** Reports measured context usage and the window in force, in tokens. */
  readonly reportContextUsage: (usage: { readonly used?: number; readonly total?: number }) => void;
  readonly reportPlanUsage: (usage: PlanUsage) => void;
  /** Adds one text to the terminal event's `warnings`. */
  readonly warn: (text: string) => void;
}

export interface PlanUsage {
  readonly label?: string;
  readonly quotas: Readonly<
    Record<
      string,
      {
        readonly total?: number;
        readonly remaining?: number;
        readonly used?: number;
        readonly reset?: string;
      }
    >
  >;
}

/** Headers and the body, which the transport serialises as JSON. */
export type WireMessage = readonly [headers: Readonly<Record<string, string>>, body: unknown];

export interface WireRequest {
  readonly url: string;
  readonly method?: "POST" | "GET";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface WireResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
}

/** The plain HTTP transport: resolves with a 2xx response, rejects with an error that carries `status`. */
export type SendBase = (request: WireRequest) => Promise<WireResponse>;

/** A failure, classified. */
export interface ClassifiedError {
  readonly kind: RequestErrorKind;
  readonly message: string;
  readonly status?: number;
  readonly retryAfterMs?: number;
  readonly contextOverflow?: { readonly window?: number; readonly needed?: number };
  /** Absent: the kind and status decide. */
  readonly retryable?: boolean;
}

/** One object per request. Every member may be left out; the chosen wire completes it. */
export interface ProviderInstance<State extends object = Record<string, unknown>> {
  /** Translates the whole context. Pure; called once per attempt. Throws kind `malformed` for what the wire cannot carry. */
  readonly context2msg?: (context: readonly Message[], io: WireContext) => WireMessage;
  /** Starts the request. Returns the response for the built-in reader, or undefined when `read` is its own. */
  readonly send?: (message: WireMessage, base: SendBase) => Promise<WireResponse | undefined>;
  /** The next native frame, or null at the end. */
  readonly read?: () => Promise<unknown>;
  /**
   * Turns one native frame into zero or more events, in wire order. `state` starts as `{}` and lives for one request.
   * `null` marks the end of the stream: answer with the terminal event if the wire earned one.
   */
  readonly msg2events?: (frame: unknown, state: State, io: WireContext) => readonly ResponseEvent[];
  readonly close?: () => void | Promise<void>;
  /** Reads quota headers. */
  readonly reportPlanUsage?: (headers: Readonly<Record<string, string>>, io: WireContext) => void;
  /** Refines the shared verdict. */
  readonly classifyError?: (error: unknown, base: (error: unknown) => ClassifiedError) => ClassifiedError;
  /** Is a token budget used up (as against a passing rate limit). */
  readonly depletionError?: (
    classified: ClassifiedError,
    base: (classified: ClassifiedError) => boolean,
  ) => boolean;
}

/** What a provider package exports: one class. Its author imports only this module. */
export interface ProviderClass<Instance extends object = ProviderInstance<never>> {
  new (url: string, io: WireContext): Instance;
  readonly contract: number;
  readonly provider: ProviderMetadata;
  readonly knownEndpoints?: readonly KnownEndpoint[];
  /** Reads only the process environment; asked once. */
  readonly detectEnvironment?: (
    environment: Readonly<Record<string, string | undefined>>,
  ) => Readonly<Record<string, DetectedEndpoint>>;
  /** Looks for live servers; asked on each pass. */
  readonly detect?: (query: DetectQuery) => Promise<Readonly<Record<string, DetectedEndpoint>>>;
  /** True: `detect` only repeats `detectEnvironment`. */
  readonly detectEnvironmentOnly?: boolean;
  readonly models?: (query: CatalogueQuery) => Promise<Readonly<Record<string, ModelMetadata>>>;
  /** Strict: throws when the endpoint or the credentials do not work. */
  readonly testConnection?: (query: CatalogueQuery) => Promise<Readonly<Record<string, unknown>>>;
  readonly login?: (input: LoginInput) => Promise<AuthRecord>;
}
