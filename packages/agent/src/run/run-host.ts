import type { Context, Usage } from "@ashlar/context";
import type { ToolDescriptor } from "@ashlar/context/provider";
import type { AgentEmitter } from "../agent-emitter.js";
import type { ContextMeter } from "../context-meter.js";
import type { ToolHost } from "../dispatch/tool-host.js";
import type { AgentHooks } from "../hooks/agent-hooks.js";
import type { Budget } from "../loop/budget.js";
import type { CallIds } from "../loop/call-ids.js";
import type { LoopPolicy } from "../loop/loop-state.js";
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

/** What one run needs of its agent. */
export interface RunHost {
  readonly context: Context;
  readonly queue: MessageQueue;
  readonly emitter: AgentEmitter;
  readonly ids: CallIds;
  readonly meter: ContextMeter;
  readonly policy: LoopPolicy;
  readonly budget: Budget;
  readonly runtime: AgentRuntime;
  readonly stream: StreamFunction;
  readonly foreignStream: boolean;
  readonly streamOptions: Omit<StreamOptions, "tools" | "signal">;
  readonly descriptors: () => readonly ToolDescriptor[];
  /** Tokens; undefined when nobody knows. */
  readonly window: () => number | undefined;
  /** US dollars for a million tokens. */
  readonly price: { readonly input: number; readonly output: number } | undefined;
  /** Reads the stored credentials again: are they other than before? */
  readonly authReload: () => Promise<boolean>;
  readonly toolHost: (parts: ToolHostParts) => ToolHost;
  readonly hooks: AgentHooks;
  /** Milliseconds a hook outside a call may take. */
  readonly hookTimeoutMs: number;
  /** The system prompt for a context that has none; empty: none is wanted. */
  readonly systemPrompt: () => Promise<readonly string[]>;
  /** Undefined for a conversation that is kept nowhere. */
  readonly journal: RunJournal | undefined;
  readonly onUsage: (usage: Usage) => void;
}

/** What the run adds to what the agent knows about dispatch. */
export type ToolHostParts = Pick<
  ToolHost,
  "signal" | "emit" | "store" | "addSystem" | "started" | "interceptors"
>;
