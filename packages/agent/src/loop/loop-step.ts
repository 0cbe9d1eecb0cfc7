import type { AssistantMessage, ErrorEvent, TerminalEvent, ToolCallBlock } from "@ashlar/context";
import type { BudgetStop } from "./budget.js";
import type { LoopState, Outcome, UnrunReason } from "./loop-state.js";
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
  /** The budget did not allow the request. */
  | { readonly type: "denied"; readonly stop: BudgetStop }
  | AnsweredInput
  | { readonly type: "reloaded"; readonly changed: boolean }
  | { readonly type: "waited" }
  /** `pending`: user input is waiting. */
  | { readonly type: "stored"; readonly pending: boolean }
  /** In call order. */
  | { readonly type: "dispatched"; readonly outcomes: readonly CallOutcome[] }
  | { readonly type: "cancel" }
  /** The host itself failed, such as its store. */
  | { readonly type: "fault"; readonly error: string; readonly kind: "usage" | "other" };

export interface PreparedInput {
  readonly type: "prepared";
  /** Tokens of the request to come. */
  readonly tokens: number;
  /** Tokens; undefined when nobody knows. */
  readonly window: number | undefined;
  /** User input joined the context just now, so a new turn begins. */
  readonly received: boolean;
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
  /** Answered with `prepared`. */
  | { readonly type: "prepare" }
  /** Answered with `denied` or `answered`. */
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
    }
  /** Answered with `dispatched`. */
  | {
      readonly type: "dispatch";
      readonly calls: readonly ToolCallBlock[];
      readonly unrun: UnrunReason | undefined;
    }
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
