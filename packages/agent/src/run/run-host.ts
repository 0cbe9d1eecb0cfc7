import type { Context, ErrorEvent, Usage } from "@ashlar/context";
import type { ToolDescriptor } from "@ashlar/context/provider";
import type { AgentEmitter } from "../agent-emitter.js";
import type { ContextMeter } from "../context-meter.js";
import type { ToolHost } from "../dispatch/tool-host.js";
import type { AgentHooks } from "../hooks/agent-hooks.js";
import type { Budget } from "../loop/budget.js";
import type { CallIds } from "../loop/call-ids.js";
import type { LoopPolicy } from "../loop/loop-state.js";
import type { AgentPolicy } from "../policy.js";
import type { MessageQueue } from "../queue/message-queue.js";
import type { RunJournal } from "../session/run-journal.js";
import type { StreamFunction, StreamOptions } from "../stream-function.js";

/** Clock, chance and waiting: what tests replace. */
export interface AgentRuntime {
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** From 0 up to but not including 1. */
  readonly random: () => number;
  /** Resolves after so many milliseconds, or at once when the signal fires. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** Skills and prompts of an Env. They are methods: call them on it. */
export interface RunContent {
  /** Looks at the skills, so that what is told of them is new. */
  readonly skills: () => Promise<unknown>;
  /** Rejects, naming the prompt, when it cannot be used. */
  readonly promptExpand: (text: string) => Promise<string>;
}

/** What a run needs of its model. */
export interface ModelHost {
  readonly modelPolicy: AgentPolicy;
  readonly meter: ContextMeter;
  readonly stream: StreamFunction;
  readonly foreignStream: boolean;
  readonly streamOptions: Omit<StreamOptions, "tools" | "signal">;
  readonly descriptors: () => readonly ToolDescriptor[];
  /** Tokens; undefined when nobody knows. */
  readonly window: () => number | undefined;
  /** A request of about so many tokens did not fit. */
  readonly onOverflow: (overflow: NonNullable<ErrorEvent["contextOverflow"]>, tokens: number) => void;
  /** US dollars for a million tokens. */
  readonly price: { readonly input: number; readonly output: number } | undefined;
  /** Reads the stored credentials again: are they other than before? */
  readonly authReload: () => Promise<boolean>;
  readonly toolHost: (parts: ToolHostParts) => ToolHost;
}

/** A model for the rest of a run; `release` lets its connection go. */
export interface BorrowedModel extends ModelHost {
  readonly release: () => Promise<void>;
}

/** What one run needs of its agent. */
export interface RunHost extends ModelHost {
  /** Throws for a model that is not there or cannot be paid from the budget. */
  readonly withModel: (selector: string) => BorrowedModel;
  readonly context: Context;
  readonly queue: MessageQueue;
  readonly content: RunContent;
  readonly emitter: AgentEmitter;
  readonly ids: CallIds;
  readonly policy: LoopPolicy;
  readonly budget: Budget;
  readonly runtime: AgentRuntime;
  readonly hooks: AgentHooks;
  /** Milliseconds a hook outside a call may take. */
  readonly hookTimeoutMs: number;
  /** The system prompt for a context that has none; empty: none is wanted. */
  readonly systemPrompt: () => Promise<readonly string[]>;
  /** Undefined for a conversation that is kept nowhere. */
  readonly journal: RunJournal | undefined;
  readonly onUsage: (usage: Usage) => void;
  /** Resolves once something waits, once no work is left that was given to workers, or with the signal. */
  readonly awaitAnswers: (signal: AbortSignal) => Promise<void>;
}

/** What the run adds to what the agent knows about dispatch. */
export type ToolHostParts = Pick<
  ToolHost,
  "signal" | "emit" | "store" | "addSystem" | "started" | "interceptors"
>;
