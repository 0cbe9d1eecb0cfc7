/** A tool call as the model makes it. A string as `arguments` is sent as it stands, for arguments that are no whole JSON. */
export interface FakeCall {
  /** Default: the next free id of the server. */
  readonly id?: string;
  readonly name: string;
  readonly arguments: unknown;
}

/** Token counts and finish word of an answer; what is absent is estimated. */
export interface Finish {
  readonly reason?: "stop" | "length";
  readonly inputTokens?: number;
  readonly outputTokens?: number;
}

/** What an answer says, in the words of no wire. */
export type ContentPart =
  | { readonly text: string }
  | { readonly thinking: string }
  | { readonly call: FakeCall };

/** What happens on the connection between, or instead of, content. Times are milliseconds. */
export type ConnectionPart =
  | { readonly wait: number }
  /** Bytes that carry nothing: blank lines, comments, empty frames. */
  | { readonly noise: true }
  /** Sent as it stands. */
  | { readonly raw: string | Uint8Array }
  /** An error frame after the 200. */
  | { readonly fail: string }
  /** Nothing more is sent and the connection stays open. */
  | { readonly hang: true }
  /** The body ends without the wire's closing frame. */
  | { readonly cut: true }
  /** The socket is destroyed. */
  | { readonly reset: true };

export type Part = ContentPart | ConnectionPart | { readonly finish: Finish };

/** How bytes leave the server. */
export interface Delivery {
  /** At most so many bytes a write; characters are cut wherever that falls. */
  readonly chunkBytes?: number;
  /** Milliseconds between two writes. */
  readonly waitMs?: number;
}

/** A stream of parts; without a part that ends it, it ends with an ordinary finish. */
export interface StreamReply {
  readonly parts: Iterable<Part>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly delivery?: Delivery;
}

/** A refusal in the wire's own error shape. */
export interface RefusalReply {
  readonly status: number;
  readonly error: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Further fields of the error body. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** No header is ever sent. */
export interface SilentReply {
  readonly silent: true;
}

export type Reply = StreamReply | RefusalReply | SilentReply;
