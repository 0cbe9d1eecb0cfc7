import type { RequestErrorKind } from "@ashlar/context";
import type { AuthRecord, ModelMetadata, ProviderClass } from "@ashlar/context/provider";

/** What the kit tests: a provider class and the native frames that its server would send. */
export interface ProviderSubject {
  readonly Provider: ProviderClass;
  readonly wire: RecordedWire;
  /** Model id of every request. Default `conformance-model`. */
  readonly model?: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly info?: ModelMetadata;
  /** Default: an API key that the kit looks for where it must not be. */
  readonly auth?: AuthRecord;
  /** The package's folder, whose package.json is read. */
  readonly folder?: string;
  /** Reasons by case name. An excused case must fail; one that passes is reported. */
  readonly excuses?: Readonly<Record<string, string>>;
}

export interface RecordedWire {
  /** Path of the request that is answered by a stream, such as `/api/chat`. */
  readonly path: string;
  /** Path of the base URL, such as `/v1`. Default: none. */
  readonly basePath?: string;
  /**
   * How frames become bytes: a JSON value a line, server-sent events (the text `[DONE]` stays text),
   * or a function that gives the text or the bytes of one frame.
   */
  readonly framing: "ndjson" | "sse" | ((frame: unknown) => string | Uint8Array);
  /** Response header. Default: that of the framing. */
  readonly contentType?: string;
  /** JSON answers to other requests, by method and path, such as `GET /api/version`. */
  readonly routes?: Readonly<Record<string, unknown>>;
  /** How a tool result names its call: by an id that both carry, or by its order alone. Default `id`. */
  readonly pairing?: "id" | "order";
  readonly recordings: Recordings;
}

/** Frames as the server sends them, with what they mean. Those of a capability that the provider declares are required. */
export interface Recordings {
  /** An answer of at least two text frames. */
  readonly text: TextRecording;
  /** An answer with characters of two, three and four bytes. */
  readonly unicode: TextRecording;
  /** An answer with no text and no call. */
  readonly empty: Recording;
  /** Answers with an error status; at least one. */
  readonly errorBefore: readonly ErrorStatusRecording[];
  /** Text, then what the server sends when it fails after status 200. */
  readonly errorAfter200: ErrorFrameRecording;
  readonly usage: UsageRecording;
  readonly toolCalls?: CallRecording;
  /** Two or more calls in one answer, in every form that servers of this wire send. */
  readonly parallelCalls?: readonly CallRecording[];
  /** A call whose arguments the output limit cut. */
  readonly cutArguments?: Recording;
  readonly thinking?: ThinkingRecording;
  /** A call that the provider runs itself, with its result in the stream. */
  readonly executedCalls?: ExecutedCallRecording;
  /** The answer to the request for the model list. */
  readonly models?: ModelsRecording;
}

export interface Recording {
  /** In wire order; a failure names it. */
  readonly why?: string;
  readonly frames: readonly unknown[];
}

export interface TextRecording extends Recording {
  readonly text: string;
}

export interface ThinkingRecording extends TextRecording {
  readonly thinking: string;
}

export interface CallRecording extends Recording {
  readonly calls: readonly RecordedCall[];
}

export interface RecordedCall {
  readonly name: string;
  /** The parsed value. */
  readonly arguments: unknown;
}

export interface ExecutedCallRecording extends Recording {
  readonly calls: readonly (RecordedCall & { readonly result: string })[];
}

export interface UsageRecording extends Recording {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens?: number;
}

export interface ErrorStatusRecording {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly kind: RequestErrorKind;
  /** Words of the error's text. */
  readonly says: string;
}

export interface ErrorFrameRecording extends TextRecording {
  /** Words of the error's text. */
  readonly says: string;
}

export interface ModelsRecording {
  /** Such as `GET /v1/models`. */
  readonly route: string;
  readonly answer: unknown;
  readonly ids: readonly string[];
}
