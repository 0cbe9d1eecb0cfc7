import type { AssistantMessage, DoneReason, ErrorEvent, ToolCallBlock, Usage } from "@ashlar/context";
import type { BudgetStop } from "./budget.js";
import type { ContextPolicy, LargestMessage } from "./context-guard.js";
import type { ResultKind } from "./exit-code.js";
import { NO_REPETITION, type Repetition, type RepetitionLimits } from "./repetition.js";
import type { RetryPolicy } from "./retry.js";

export interface LoopPolicy {
  readonly retry: RetryPolicy;
  readonly context: ContextPolicy;
  readonly repetition: RepetitionLimits;
  /** Somebody is asked after each turn whether the run goes on. */
  readonly decided: boolean;
}

/** What a run remembers from step to step. */
export interface RunMemory {
  readonly policy: LoopPolicy;
  /** Requests that were answered. */
  readonly requests: number;
  readonly usage: Usage | undefined;
  /** Tokens of the request at hand. */
  readonly tokens: number;
  /** Tokens when the turn began; undefined before the first request. */
  readonly turnStart: number | undefined;
  /** Tokens; undefined when nobody knows. */
  readonly window: number | undefined;
  readonly largest: LargestMessage | undefined;
  /** Tokens below which the conversation is not compacted again. */
  readonly compactAt: number;
  /** The request at hand did not fit, and the conversation was compacted for it. */
  readonly overflowed: boolean;
  /** How often the request at hand was sent. */
  readonly tries: number;
  /** How often it failed in a way that counts against `retry.attempts`. */
  readonly failures: number;
  readonly reloaded: boolean;
  readonly emptyAnswers: number;
  /** Responses in a row whose calls were cut. */
  readonly cutResponses: number;
  readonly repetition: Repetition;
  /** Reasons by tool, for refused calls that no success of that tool followed. */
  readonly refused: ReadonlyMap<string, string>;
  readonly cancelled: boolean;
  /** The latest response. */
  readonly message: AssistantMessage | undefined;
  readonly doneReason: DoneReason | undefined;
}

/** How a run ended. */
export interface Outcome {
  readonly kind: Exclude<ResultKind, "refused">;
  readonly error?: string;
  readonly httpStatus?: number;
  readonly throttled?: { readonly until: number; readonly waitMs: number };
  readonly stop?: BudgetStop;
  /** Who ended a run that went well. */
  readonly stoppedBy?: string;
}

/** How a turn ended: with the results of its calls, or with an answer. `pending`: user input was waiting then. */
export type TurnEnd = { readonly point: "batch" } | { readonly point: "stop"; readonly pending: boolean };

/** Why calls are answered without being run. */
export type UnrunReason = "cut" | "cancelled" | "failed" | "refused";

/** What follows once a response is stored: its calls, or nothing; then the outcome, if it is settled. */
export interface AfterStore {
  readonly calls: readonly ToolCallBlock[];
  readonly unrun?: UnrunReason;
  readonly outcome?: Outcome;
}

/** Why the conversation is compacted: it grew, or the request at hand did not fit. */
export type CompactionCause =
  | { readonly reason: "threshold" }
  | { readonly reason: "overflow"; readonly failure: ErrorEvent };

/**
 * idle → preparing → requesting → storing → dispatching → preparing … → ended. A failed request comes back to
 * requesting through reloading, waiting or compacting, which may also come before it. Each state between the first and the last waits for one kind of input.
 */
export type LoopState =
  | { readonly name: "idle"; readonly memory: RunMemory }
  /** Queued input joins the context and the request is measured. */
  | { readonly name: "preparing"; readonly memory: RunMemory }
  /** A summary takes the place of old messages. */
  | { readonly name: "compacting"; readonly memory: RunMemory; readonly cause: CompactionCause }
  | { readonly name: "requesting"; readonly memory: RunMemory }
  /** The stored credentials are read again. */
  | { readonly name: "reloading"; readonly memory: RunMemory; readonly failure: ErrorEvent }
  | { readonly name: "waiting"; readonly memory: RunMemory }
  /** The response joins the context. */
  | { readonly name: "storing"; readonly memory: RunMemory; readonly next: AfterStore }
  | { readonly name: "dispatching"; readonly memory: RunMemory; readonly next: AfterStore }
  /** Somebody is asked whether the run goes on. */
  | { readonly name: "deciding"; readonly memory: RunMemory; readonly at: TurnEnd }
  | { readonly name: "ended"; readonly memory: RunMemory; readonly outcome: Outcome };

export function idleState(policy: LoopPolicy): LoopState {
  const memory: RunMemory = {
    policy,
    requests: 0,
    usage: undefined,
    tokens: 0,
    turnStart: undefined,
    window: undefined,
    largest: undefined,
    compactAt: 0,
    overflowed: false,
    tries: 0,
    failures: 0,
    reloaded: false,
    emptyAnswers: 0,
    cutResponses: 0,
    repetition: NO_REPETITION,
    refused: new Map(),
    cancelled: false,
    message: undefined,
    doneReason: undefined,
  };
  return { name: "idle", memory };
}
