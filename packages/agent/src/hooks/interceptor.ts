import type { AssistantMessage, Block, Context, Message, ToolResultMessage, Usage } from "@ashlar/context";
import type { QuestionBridge } from "@ashlar/context/tool";
import type { Env } from "@ashlar/env";
import type { ThinkingLevel } from "@ashlar/io";
import type { SendOptions, UserInput } from "../queue/message-queue.js";

/** An answer now or later; none: nothing is to be said. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function that returns nothing has nothing to say.
export type HookReply<T> = T | undefined | void | Promise<T | undefined | void>;

/** What hooks may rely on of an agent; at run time it is the agent itself. */
export interface HookAgent {
  readonly name: string;
  readonly description: string;
  /** Qualified `endpoint/model`. */
  readonly model: string;
  readonly env: Env;
  /** To read. A hook that writes to the conversation breaks the pairing of calls and results. */
  readonly context: Pick<Context, "at" | "items" | "length" | "messages">;
  readonly usage: Usage;
  readonly send: (input: UserInput, options?: SendOptions) => void;
  readonly cancel: () => void;
}

interface Asked {
  readonly agent: HookAgent;
  /** Fires when the run is cancelled or the time of the hook is up; nobody waits for the answer then. */
  readonly signal: AbortSignal;
}

/** A call that is about to run. */
export interface BeforeTool extends Asked {
  readonly callId: string;
  readonly name: string;
  /** Validated and frozen. */
  readonly arguments: unknown;
  /** It changes nothing, as its tool says. */
  readonly readOnly: boolean;
  /** Asks the person in front of the host; null: nobody is there. The clock of the hook stands meanwhile. */
  readonly question: QuestionBridge | null;
}

/** Refuses the call with a reason for the model, or replaces its arguments, which are validated again. */
export type BeforeToolReply = { readonly block: string } | { readonly arguments: unknown };

/** A call that ran, well or not. */
export interface AfterTool extends Asked {
  readonly callId: string;
  readonly name: string;
  /** As they were understood. Frozen, as the rest is. */
  readonly arguments: unknown;
  readonly content: readonly Block[];
  readonly error: boolean;
  /** For viewers; the model does not see it. */
  readonly display: readonly Block[] | undefined;
}

/** Replaces field by field. */
export interface AfterToolReply {
  /** Anything a tool may return as its result. */
  readonly content?: unknown;
  readonly error?: boolean;
  /** As `content`; null takes it away. */
  readonly display?: unknown;
}

/** A request that is about to be sent, for the first time or again. */
export interface BeforeRequest extends Asked {
  /** `answer`: a turn of the conversation. `summary`: for one that is compacted; its messages are a text about it. */
  readonly purpose: "answer" | "summary";
  /** What the provider is shown: each call followed by its result. Frozen. */
  readonly messages: readonly Message[];
  /** Qualified `endpoint/model`. */
  readonly model: string;
  readonly thinking: ThinkingLevel | undefined;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Counts for this one request; the conversation stays as it is. */
export interface BeforeRequestReply {
  /** In the place of all of them; checked and paired again. */
  readonly messages?: readonly Message[];
  readonly thinking?: ThinkingLevel;
  /** Laid over the request's settings, key by key. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** A response and the results of its calls. */
export interface FinishedTurn extends Asked {
  readonly message: AssistantMessage;
  /** In call order; empty when it made no calls. */
  readonly results: readonly ToolResultMessage[];
  /** Of this run, retries included. */
  readonly requests: number;
}

/** Counts for the rest of the run. */
export interface NextTurnReply {
  /** Qualified `endpoint/model`. */
  readonly model?: string;
  readonly thinking?: ThinkingLevel;
}

/** Takes part in a run. Each function is awaited, in order of registration, and bounded by the time of a call. */
export interface Interceptor {
  /** In refusals and reports. Default: `interceptor 1`, or the file it came from. */
  readonly name?: string;
  /** Asked when the call would run. A failure refuses the call. */
  readonly beforeTool?: (call: BeforeTool) => HookReply<BeforeToolReply>;
  /** A failure keeps the result back: the model is told so. */
  readonly afterTool?: (call: AfterTool) => HookReply<AfterToolReply>;
  /** A failure ends the run before anything is sent. */
  readonly beforeRequest?: (request: BeforeRequest) => HookReply<BeforeRequestReply>;
  /** True ends the run well, and what is queued stays queued. A failure is reported and counts as no. */
  readonly stopAfterTurn?: (turn: FinishedTurn) => HookReply<boolean>;
  /** Asked when another request follows. A failure is reported and changes nothing. */
  readonly prepareNextTurn?: (turn: FinishedTurn) => HookReply<NextTurnReply>;
}
