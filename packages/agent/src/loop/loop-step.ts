import type { AssistantMessage, ErrorEvent, TerminalEvent, ToolCallBlock, Usage } from "@ashlar/context";
import type { BudgetStop } from "./budget.js";
import type { LargestMessage } from "./context-guard.js";
import type { LoopPolicy, LoopState, Outcome, UnrunReason } from "./loop-state.js";
import type { ObservedCall } from "./repetition.js";
import type { BudgetEvent, RetryEvent, ThrottledEvent } from "./stream-event.js";

/** How one call came out. */
export interface CallOutcome extends ObservedCall {
  readonly succeeded: boolean;
  /** Why permission or the sandbox kept it from running. */
  readonly refused?: string;
  /** Its arguments were not whole. */
  readonly cut?: boolean;
}

export type LoopInput =
  | { readonly type: "run" }
  | PreparedInput
  | CompactedInput
  /** The budget did not allow the request. */
  | { readonly type: "denied"; readonly stop: BudgetStop }
  | AnsweredInput
  | { readonly type: "reloaded"; readonly changed: boolean }
  | { readonly type: "waited" }
  /** `pending`: user input is waiting. */
  | { readonly type: "stored"; readonly pending: boolean }
  /** In call order. */
  | { readonly type: "dispatched"; readonly outcomes: readonly CallOutcome[] }
  /** `stoppedBy`: who ends the run here. `pending`: user input is waiting. */
  | { readonly type: "decided"; readonly stoppedBy: string | undefined; readonly pending: boolean }
  | UnneededInput
  | { readonly type: "cancel" }
  /** The host itself failed, such as its store. */
  | { readonly type: "fault"; readonly error: string; readonly kind: "usage" | "other" };

/**
 * What of the queue joins: `start`, what the run is about; `batch`, what steers it after its calls; `stop`, also what
 * follows once the model has finished.
 */
export type PollPoint = "start" | "batch" | "stop";

export interface PreparedInput {
  readonly type: "prepared";
  /** Tokens of the request to come. */
  readonly tokens: number;
  /** Tokens; undefined when nobody knows. */
  readonly window: number | undefined;
  /** User input joined the context just now, so a new turn begins. */
  readonly received: boolean;
  /** Counts from now on; absent: as before. */
  readonly policy?: LoopPolicy | undefined;
  readonly largest?: LargestMessage | undefined;
}

/** Nothing is sent: what waited was taken back, or the run was cancelled first. */
export interface UnneededInput {
  readonly type: "unneeded";
}

export interface CompactedInput {
  readonly type: "compacted";
  /** `nothing`: there is nothing that a summary could take the place of. After `failed` the conversation is as it was. */
  readonly status: "done" | "nothing" | "failed";
  /** Tokens of the request to come. */
  readonly tokens: number;
  readonly largest: LargestMessage | undefined;
  /** Requests that were sent for it, and what they used. */
  readonly requests: number;
  readonly usage: Usage | undefined;
  /** Why it failed. */
  readonly error?: string;
}

export interface AnsweredInput {
  readonly type: "answered";
  /** Its message has the agent's call ids. */
  readonly terminal: TerminalEvent;
  /** Epoch milliseconds. */
  readonly now: number;
  /** From 0 up to but not including 1. */
  readonly random: number;
}

export type LoopEffect =
  /** Answered with `prepared` or `unneeded`. */
  | { readonly type: "prepare"; readonly at: PollPoint }
  /** Answered with `compacted`. `needed`: tokens of the request that did not fit. */
  | {
      readonly type: "compact";
      readonly reason: "threshold" | "overflow";
      readonly window: number | undefined;
      readonly needed: number | undefined;
    }
  /** Answered with `denied`, `answered` or `unneeded`. */
  | { readonly type: "request"; readonly tokens: number }
  /** Answered with `reloaded`. */
  | { readonly type: "reload" }
  /** Answered with `waited`. */
  | { readonly type: "wait"; readonly delayMs: number }
  /** Stores `message`, then gives out the terminal event. Answered with `stored`. */
  | {
      readonly type: "store";
      readonly terminal: TerminalEvent;
      readonly message: AssistantMessage | undefined;
      /** The model would stop here. */
      readonly stops: boolean;
    }
  /** Answered with `dispatched`. */
  | {
      readonly type: "dispatch";
      readonly calls: readonly ToolCallBlock[];
      readonly unrun: UnrunReason | undefined;
    }
  /** Answered with `decided`. */
  | { readonly type: "decide" }
  /** Gives out the terminal event of a response that is not stored. */
  | { readonly type: "discard"; readonly failure: ErrorEvent }
  | { readonly type: "emit"; readonly event: RetryEvent | ThrottledEvent | BudgetEvent }
  /** Joins the context as a system message before the next request. */
  | { readonly type: "system"; readonly text: string }
  /** Aborts what is under way. */
  | { readonly type: "abort" }
  /** The one exit. */
  | { readonly type: "end"; readonly outcome: Outcome };

export interface Step {
  readonly state: LoopState;
  readonly effects: readonly LoopEffect[];
}
