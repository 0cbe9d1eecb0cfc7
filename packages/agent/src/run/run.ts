import { setMaxListeners } from "node:events";
import { messageHasContent, messageSystem, type ToolResultMessage } from "@ashlar/context";
import { isAgentError } from "../agent-error.js";
import { AGENT_EVENT } from "../agent-events.js";
import { compactRun } from "../compaction/compact-run.js";
import { answerUnrun, runBatch } from "../dispatch/batch.js";
import type { ToolHost } from "../dispatch/tool-host.js";
import type { InterceptorChain } from "../hooks/interceptor-chain.js";
import type { TurnHooks } from "../hooks/turn-hooks.js";
import { idleState, type LoopState, type Outcome } from "../loop/loop-state.js";
import type { LoopEffect, LoopInput, PollPoint } from "../loop/loop-step.js";
import { resultOf } from "../loop/run-end.js";
import { step } from "../loop/step.js";
import type { ResultEvent } from "../loop/stream-event.js";
import { errorText } from "../loop/tool-value.js";
import type { RunJournal } from "../session/run-journal.js";
import { takeUpRun } from "../session/take-up-run.js";
import { ModelSwitch } from "./model-switch.js";
import { commitMessage, prepareRequest, prepareRun } from "./prepare-request.js";
import { reloadCredentials } from "./reload-credentials.js";
import { emitRunEvent } from "./run-events.js";
import { shapedRequest, turnHooks } from "./run-hooks.js";
import type { RunHost } from "./run-host.js";
import { sendRequest } from "./send-request.js";

type Effect<T extends LoopEffect["type"]> = Extract<LoopEffect, { readonly type: T }>;

/** One run of the loop: performs the effects that `step` asks for, until the one exit. */
export class Run {
  #host: RunHost;
  readonly #abort = new AbortController();
  #state: LoopState;
  #begun = false;
  #result: ResultEvent | undefined;
  /** Who takes part in it; undefined: nobody. */
  #chain: InterceptorChain | undefined;
  #hooks: TurnHooks | undefined;
  readonly #switch = new ModelSwitch();
  /** System texts that wait for the next request. */
  #system: string[] = [];
  /** Results of the calls that the provider executed, of the response at hand. */
  #executed: readonly ToolResultMessage[] = [];

  constructor(host: RunHost) {
    this.#host = host;
    this.#state = idleState(host.policy);
    // Each call that runs listens, and there may be many at once.
    setMaxListeners(0, this.#abort.signal);
  }

  /** Resolves with the last event of the run; never rejects. */
  async execute(): Promise<ResultEvent> {
    let input: LoopInput = { type: "run" };
    for (;;) {
      const answer = await this.#perform(this.#take(input));
      if (this.#state.name === "ended")
        return this.#result ?? resultOf(this.#state.memory, this.#state.outcome);
      input = answer ?? { type: "fault", kind: "other", error: "The loop stood still." };
    }
  }

  /** Aborts what is under way; the run then ends as cancelled. */
  cancel(): void {
    for (const { type } of this.#take({ type: "cancel" })) if (type === "abort") this.#abort.abort();
  }

  #take(input: LoopInput): readonly LoopEffect[] {
    const { state, effects } = step(this.#state, input);
    this.#state = state;
    return effects;
  }

  /** Gives the answer of the one effect that has one. A failure of the host is an input like any other. */
  async #perform(effects: readonly LoopEffect[]): Promise<LoopInput | undefined> {
    try {
      let answer: LoopInput | undefined;
      for (const effect of effects) answer = (await this.#effect(effect)) ?? answer;
      return answer;
    } catch (error) {
      const kind = isAgentError(error) && error.kind === "usage" ? "usage" : "other";
      return { type: "fault", kind, error: errorText(error) };
    }
  }

  #effect(effect: LoopEffect): undefined | Promise<LoopInput | undefined> {
    switch (effect.type) {
      case "prepare":
        return this.#prepare(effect.at);
      case "compact":
        return compactRun(this.#host, effect, this.#abort.signal);
      case "request":
        return this.#request(effect.tokens);
      case "reload":
        return this.#reload();
      case "wait":
        return this.#wait(effect.delayMs);
      case "store":
        return this.#store(effect);
      case "dispatch":
        return this.#dispatch(effect);
      case "decide":
        return this.#decide();
      case "end":
        return this.#end(effect.outcome);
      case "discard":
        this.#host.ids.withdraw();
        this.#host.emitter.response(effect.failure);
        return undefined;
      case "emit":
        emitRunEvent(this.#host.emitter, effect.event);
        return undefined;
      case "system":
        this.#system.push(effect.text);
        return undefined;
      case "abort":
        this.#abort.abort();
        return undefined;
    }
  }

  async #prepare(at: PollPoint): Promise<LoopInput> {
    if (this.#begun) await this.#nextTurn();
    else await this.#begin();
    const { signal } = this.#abort;
    if (signal.aborted) return { type: "unneeded" };
    this.#host.journal?.nextStep();
    return prepareRequest(this.#host, { at, signal, takeTexts: () => this.#system.splice(0) });
  }

  async #begin(): Promise<void> {
    const { journal, hooks, policy } = this.#host;
    const { signal } = this.#abort;
    this.#chain = await hooks.chain(signal);
    if (this.#chain !== undefined) {
      this.#hooks = turnHooks(this.#host, this.#chain, signal);
      this.#host = { ...this.#host, policy: { ...policy, decided: this.#hooks.decides } };
    }
    await prepareRun(this.#host);
    if (journal !== undefined) await this.#takeUp(journal);
    this.#begun = true;
  }

  /** Runs the calls again that a crash interrupted and that may be repeated. */
  async #takeUp(journal: RunJournal): Promise<void> {
    // Cancelled before it began: what was interrupted stays for the next run.
    if (this.#abort.signal.aborted && this.#host.context.journalState.open !== undefined) return;
    const tools = this.#toolHost();
    const calls = takeUpRun(this.#host, journal, tools.tools);
    if (calls.length > 0) await runBatch(calls, tools);
  }

  /** Another request follows the turn that ended: hooks may want it other than the ones before. */
  async #nextTurn(): Promise<void> {
    if (this.#hooks === undefined) return;
    const wanted = await this.#hooks.nextTurn();
    if (!this.#abort.signal.aborted) this.#host = await this.#switch.apply(this.#host, wanted);
  }

  async #decide(): Promise<LoopInput> {
    const stoppedBy = await this.#hooks?.stoppedBy();
    return { type: "decided", stoppedBy, pending: this.#host.queue.length > 0 };
  }

  async #request(tokens: number): Promise<LoopInput> {
    const { signal } = this.#abort;
    const shown = this.#hooks && (await shapedRequest(this.#host, this.#hooks));
    if (shown?.type === "cancelled") return { type: "unneeded" };
    if (shown?.type === "failed")
      return { type: "fault", kind: "other", error: `Nothing was sent: ${shown.problem}.` };
    const { input, executed } = await sendRequest(this.#host, { tokens, signal, shown: shown?.reply });
    this.#executed = executed;
    return input;
  }

  async #reload(): Promise<LoopInput> {
    return { type: "reloaded", changed: await reloadCredentials(this.#host, this.#abort.signal) };
  }

  async #wait(delayMs: number): Promise<LoopInput> {
    if (delayMs > 0) await this.#host.runtime.wait(delayMs, this.#abort.signal);
    return { type: "waited" };
  }

  async #store({ terminal, message, stops }: Effect<"store">): Promise<LoopInput> {
    const { context, emitter, queue } = this.#host;
    const kept = message !== undefined && (message.error !== undefined || messageHasContent(message));
    const stored = kept ? commitMessage(this.#host, message) : message;
    if (stored !== undefined)
      this.#hooks?.beginTurn({ message: stored, requests: this.#state.memory.requests });
    if (kept) for (const result of this.#executed) this.#storeResult(result);
    this.#executed = [];
    await context.flush();
    emitter.response(
      stored === undefined || stored === terminal.message ? terminal : { ...terminal, message: stored },
    );
    // A model that would stop hears first what its workers answer.
    if (stops) await this.#host.awaitAnswers(this.#abort.signal);
    return { type: "stored", pending: queue.length > 0 };
  }

  async #dispatch({ calls, unrun }: Effect<"dispatch">): Promise<LoopInput> {
    const { context } = this.#host;
    const host = this.#toolHost();
    const outcomes = unrun === undefined ? await runBatch(calls, host) : answerUnrun(calls, unrun, host);
    await context.flush();
    return { type: "dispatched", outcomes };
  }

  #storeResult(result: ToolResultMessage): ToolResultMessage {
    const stored = commitMessage(this.#host, result);
    this.#hooks?.addResult(stored);
    return stored;
  }

  #toolHost(): ToolHost {
    const { emitter, journal, toolHost } = this.#host;
    return toolHost({
      signal: this.#abort.signal,
      emit: (event) => emitRunEvent(emitter, event),
      interceptors: this.#chain,
      store: (message, event) => emitter.toolResult(event, this.#storeResult(message)),
      addSystem: (texts) => this.#system.push(...texts),
      ...(journal !== undefined && { started: (call) => journal.toolStarted(call) }),
    });
  }

  /** The only place where a run ends. */
  async #end(outcome: Outcome): Promise<undefined> {
    const { context, emitter, journal } = this.#host;
    const { memory } = this.#state;
    // Where nothing is kept, whoever sends now need not wait after a success.
    const settled = journal === undefined && outcome.kind === "success" && this.#system.length === 0;
    const failure = settled ? undefined : await this.#settle(outcome);
    const ended = resultOf(memory, failure ?? outcome);
    const result = journal === undefined ? ended : { ...ended, session: context.id };
    this.#result = result;
    await this.#switch.end();
    emitter.event(result, AGENT_EVENT.RESULT, result);
  }

  /** Brings the last words into the context; the outcome when the store fails. */
  async #settle(outcome: Outcome): Promise<Outcome | undefined> {
    const { context, journal } = this.#host;
    try {
      for (const text of this.#system) context.append(messageSystem(text));
      journal?.finish(outcome);
      await context.flush({ durable: true });
      return undefined;
    } catch (error) {
      return { kind: "other", error: errorText(error) };
    }
  }
}
