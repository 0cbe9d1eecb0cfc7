import { randomUUID } from "node:crypto";
import type { Context, OperationOutcome, OperationPurpose } from "@ashlar/context";

/**
 * One piece of work in the journal of a conversation that is kept; where it is kept nowhere nothing is written. At most
 * one is open, so work inside a run, or before an interrupted run was taken up, is part of that one.
 */
export class Operation {
  readonly #context: Context;
  /** Undefined: nothing is written. */
  readonly id: string | undefined;

  private constructor(context: Context, id: string | undefined) {
    this.#context = context;
    this.id = id;
  }

  static begin(context: Context, purpose: OperationPurpose): Operation {
    if (!context.stored || context.journalState.open !== undefined) return new Operation(context, undefined);
    const operation = randomUUID();
    context.journal({ type: "operation_started", operation, purpose });
    return new Operation(context, operation);
  }

  /** Not committed before the next flush. */
  finish(outcome: OperationOutcome): void {
    if (this.id !== undefined)
      this.#context.journal({ type: "operation_finished", operation: this.id, outcome });
  }
}
