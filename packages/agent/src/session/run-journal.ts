import type { Context, OperationOutcome, Usage } from "@ashlar/context";
import type { Outcome } from "../loop/loop-state.js";
import { Operation } from "./operation.js";

/** A call that is about to run. */
export interface BeginningCall {
  readonly callId: string;
  readonly name: string;
  readonly replay: "never" | "safe";
  /** It changes nothing. */
  readonly readOnly: boolean;
}

/** What a run notes about itself in the journal of its session. */
export class RunJournal {
  readonly #context: Context;
  #operation: Operation | undefined;
  #step = 0;
  #attempt = 0;
  #isNewStep = true;

  private constructor(context: Context) {
    this.#context = context;
  }

  /** Undefined for a conversation that is kept nowhere: it costs a run nothing. */
  static of(context: Context): RunJournal | undefined {
    return context.stored ? new RunJournal(context) : undefined;
  }

  begin(): void {
    this.#operation = Operation.begin(this.#context, "run");
  }

  /** The next request is another one, not the same once more. */
  nextStep(): void {
    this.#isNewStep = true;
  }

  /** A request is about to be sent. */
  attempt(): void {
    const operation = this.#operation?.id;
    if (operation === undefined) return;
    if (this.#isNewStep) this.#step += 1;
    this.#attempt = this.#isNewStep ? 1 : this.#attempt + 1;
    this.#isNewStep = false;
    this.#context.journal({ type: "step_attempt", operation, step: this.#step, attempt: this.#attempt });
  }

  /** Resolves when a crash cannot make the beginning forgotten; what changes nothing does not wait for that. */
  toolStarted({ callId, name, replay, readOnly }: BeginningCall): Promise<void> | undefined {
    const operation = this.#operation?.id;
    if (operation === undefined) return undefined;
    this.#context.journal({ type: "tool_started", operation, callId, name, replay });
    const committed = this.#context.flush();
    if (!readOnly) return committed;
    // A store that fails says so again when the result is stored.
    committed.catch(() => undefined);
    return undefined;
  }

  /** `model` is qualified: `endpoint/model`. */
  usage(usage: Usage, model: string): void {
    this.#context.journal({ type: "usage", cause: "assistant", usage, model });
  }

  /** Not committed before the next flush. */
  finish({ kind }: Outcome): void {
    this.#operation?.finish(OUTCOMES[kind] ?? "failed");
  }
}

const OUTCOMES: Readonly<Partial<Record<Outcome["kind"], OperationOutcome>>> = {
  success: "completed",
  cancelled: "cancelled",
};
