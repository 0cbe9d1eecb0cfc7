import type { ToolCallBlock } from "@ashlar/context";
import { BatchSchedule } from "../loop/batch-schedule.js";
import { unrunText } from "../loop/call-answer.js";
import type { UnrunReason } from "../loop/loop-state.js";
import type { CallOutcome } from "../loop/loop-step.js";
import { errorAnswer } from "../loop/tool-value.js";
import { type AnsweredCall, answerCall } from "./answered-call.js";
import { type CheckedCall, checkCall, isPooled } from "./call-check.js";
import { runCall } from "./call-run.js";
import type { ToolHost } from "./tool-host.js";

/** Answers every call without running any. */
export function answerUnrun(
  calls: readonly ToolCallBlock[],
  reason: UnrunReason,
  host: ToolHost,
): readonly CallOutcome[] {
  return calls.map((call) => {
    const answered = answerCall(call, errorAnswer(unrunText(reason)), { cut: reason === "cut" });
    host.store(answered.message, answered.event);
    return answered.outcome;
  });
}

/** Runs the calls of one response. Each gets exactly one result; results are stored in call order. Rejects when one cannot be stored. */
export function runBatch(calls: readonly ToolCallBlock[], host: ToolHost): Promise<readonly CallOutcome[]> {
  return new Batch(calls, host).run();
}

class Batch {
  readonly #host: ToolHost;
  readonly #calls: readonly CheckedCall[];
  readonly #schedule: BatchSchedule;
  /** Answered calls by place; those before `#stored` are stored. */
  readonly #answers: (AnsweredCall | undefined)[] = [];
  readonly #outcomes: CallOutcome[] = [];

  constructor(calls: readonly ToolCallBlock[], host: ToolHost) {
    this.#host = host;
    this.#calls = calls.map((call) => checkCall(call, host));
    const pooled = this.#calls.map((call) => "answered" in call || isPooled(call.run, host));
    this.#schedule = new BatchSchedule(pooled, host.policy.concurrency);
  }

  async run(): Promise<readonly CallOutcome[]> {
    if (this.#calls.length === 0) return [];
    await new Promise<void>((resolve, reject) => this.#startMore(resolve, reject));
    return this.#outcomes;
  }

  #startMore(resolve: () => void, reject: (error: unknown) => void): void {
    for (let place = this.#schedule.next(); place !== undefined; place = this.#schedule.next()) {
      this.#answer(place).then(() => {
        this.#schedule.finish();
        if (this.#outcomes.length === this.#calls.length) resolve();
        else this.#startMore(resolve, reject);
      }, reject);
    }
  }

  async #answer(place: number): Promise<void> {
    const call = this.#calls[place];
    if (call === undefined) return;
    this.#answers[place] = "answered" in call ? call.answered : await runCall(call.run, this.#host);
    this.#storeInOrder();
  }

  /** Stores what is complete from the front. */
  #storeInOrder(): void {
    for (;;) {
      const place = this.#outcomes.length;
      const answered = this.#answers[place];
      if (answered === undefined) return;
      // A result is large and stored now: it is not kept twice.
      this.#answers[place] = undefined;
      this.#host.store(answered.message, answered.event);
      this.#outcomes.push(answered.outcome);
      if (answered.system.length > 0) this.#host.addSystem(answered.system);
    }
  }
}
