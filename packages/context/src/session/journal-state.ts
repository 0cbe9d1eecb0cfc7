import type { SessionEntry } from "./entry.js";
import type { JournalEvent, OperationPurpose, StepAttempt, ToolStarted } from "./journal.js";

/** A call that began; whether it has a result is up to the conversation. */
export interface StartedCall {
  readonly callId: string;
  readonly name: string;
  readonly replay: "never" | "safe";
}

/** An operation that was started and not finished. */
export interface OpenOperation {
  readonly id: string;
  readonly purpose: OperationPurpose;
  /** Epoch milliseconds. */
  readonly started: number;
  /** 0 before the first. */
  readonly step: number;
  readonly attempt: number;
  readonly calls: readonly StartedCall[];
}

export type JournalProblemReason =
  | "second_operation"
  | "operation_reused"
  | "unknown_operation"
  | "after_finish"
  | "attempt_order"
  | "call_repeated";

/** A line that does not follow from the lines before it. */
export interface JournalProblem {
  readonly reason: JournalProblemReason;
  readonly message: string;
  /** The entry's id; absent for an event that was not written yet. */
  readonly entry?: string;
}

export interface JournalState {
  readonly open: OpenOperation | undefined;
  readonly problems: readonly JournalProblem[];
}

/** Pure: derives from the log what was going on when it ends. Corrupt lines are named and the rest counts. */
export function reduceJournal(entries: Iterable<SessionEntry>): JournalState {
  const reducer = new JournalReducer();
  for (const entry of entries) reducer.apply(entry);
  return reducer.state;
}

/** The reducer, one entry at a time. Its states: no operation, one open operation. */
export class JournalReducer {
  #open: OpenOperation | undefined;
  readonly #finished = new Set<string>();
  readonly #problems: JournalProblem[] = [];

  get state(): JournalState {
    return { open: this.#open, problems: [...this.#problems] };
  }

  apply(entry: SessionEntry): void {
    if (entry.kind !== "journal") return;
    const problem = this.problemOf(entry.event);
    if (problem !== undefined) this.#problems.push({ ...problem, entry: entry.id });
    // Where two operations claim to run, the newer one is the one that may still have to be resumed.
    if (problem === undefined || problem.reason === "second_operation") this.#take(entry.event, entry.at);
  }

  /** Why this event cannot come next; undefined when it can. */
  problemOf(event: JournalEvent): JournalProblem | undefined {
    if (event.type === "usage") return undefined;
    if (event.type === "operation_started") return this.#problemOfStart(event.operation);
    if (this.#open?.id !== event.operation) {
      return this.#finished.has(event.operation)
        ? problem("after_finish", `${event.type}: the operation ${event.operation} is finished`)
        : problem("unknown_operation", `${event.type}: no operation ${event.operation} was started`);
    }
    if (event.type === "step_attempt") return problemOfAttempt(this.#open, event);
    return event.type === "tool_started" ? problemOfCall(this.#open, event) : undefined;
  }

  #problemOfStart(operation: string): JournalProblem | undefined {
    if (this.#open?.id === operation || this.#finished.has(operation)) {
      return problem("operation_reused", `operation_started: the id ${operation} was used before`);
    }
    if (this.#open === undefined) return undefined;
    return problem(
      "second_operation",
      `operation_started: the operation ${this.#open.id} is still open; finish it first`,
    );
  }

  #take(event: JournalEvent, at: number): void {
    switch (event.type) {
      case "operation_started":
        if (this.#open !== undefined) this.#finished.add(this.#open.id);
        this.#open = {
          id: event.operation,
          purpose: event.purpose,
          started: at,
          step: 0,
          attempt: 0,
          calls: [],
        };
        return;
      case "operation_finished":
        this.#finished.add(event.operation);
        this.#open = undefined;
        return;
      case "step_attempt":
        if (this.#open !== undefined)
          this.#open = { ...this.#open, step: event.step, attempt: event.attempt };
        return;
      case "tool_started":
        if (this.#open !== undefined)
          this.#open = { ...this.#open, calls: withCall(this.#open.calls, event) };
        return;
      case "usage":
    }
  }
}

function withCall(
  calls: readonly StartedCall[],
  { callId, name, replay }: ToolStarted,
): readonly StartedCall[] {
  return [...calls.filter((call) => call.callId !== callId), { callId, name, replay }];
}

function problemOfAttempt(open: OpenOperation, { step, attempt }: StepAttempt): JournalProblem | undefined {
  const isNextAttempt = step === open.step && attempt === open.attempt + 1;
  const isNextStep = step === open.step + 1 && attempt === 1;
  if (step > 0 && (isNextAttempt || isNextStep)) return undefined;
  const was = `step ${open.step}, attempt ${open.attempt}`;
  return problem("attempt_order", `step_attempt: step ${step}, attempt ${attempt} does not follow ${was}`);
}

function problemOfCall({ calls }: OpenOperation, { callId }: ToolStarted): JournalProblem | undefined {
  const before = calls.find((call) => call.callId === callId);
  if (before === undefined || before.replay === "safe") return undefined;
  return problem("call_repeated", `tool_started: the call ${callId} began before and may not run twice`);
}

function problem(reason: JournalProblemReason, message: string): JournalProblem {
  return { reason, message };
}
