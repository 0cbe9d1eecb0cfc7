import type { UserMessage } from "@ashlar/context";
import type { Workers } from "@ashlar/context/tool";
import type { AgentEmitter } from "../agent-emitter.js";
import { nameModel, resolveModel } from "../agent-model.js";
import type { AgentCreateOptions } from "../agent-options.js";
import type { AgentRegistry } from "../agent-registry.js";
import { modelCapacity } from "../capacity.js";
import type { Isolation } from "../isolation/isolation.js";
import type { Budget } from "../loop/budget.js";
import { budgetPolicy } from "../run/create-run-host.js";
import { SYSTEM_RUNTIME } from "../runtime.js";
import { keepSession } from "../session/session-binding.js";
import type { ChildOptions } from "./child-options.js";
import { Children } from "./children.js";
import { type ChildMaker, createChild } from "./create-child.js";
import type { NestAgent } from "./nest-agent.js";
import { Purse, type PurseMoment } from "./purse.js";
import type { WorkerCall } from "./worker-call.js";
import { workersFor } from "./workers.js";

/** What is the agent's own. */
export interface NestParts<A extends NestAgent> {
  readonly registry: AgentRegistry<A>;
  readonly options: AgentCreateOptions;
  readonly emitter: AgentEmitter;
  readonly queue: { readonly length: number; readonly put: (message: UserMessage) => void };
  readonly isolation: () => Isolation | undefined;
  /** Makes an agent below `parent`. */
  readonly create: (options: AgentCreateOptions, parent: A) => A;
}

/** An agent's children, and the budget they share with it. */
export class Nest<A extends NestAgent> {
  readonly #agent: A;
  readonly #parts: NestParts<A>;
  #purse: Purse | undefined;
  /** Settles when no change of the workers is under way. */
  #turn: Promise<unknown> = Promise.resolve();
  /** Made for the first of them: most agents have none. */
  #children: Children<A> | undefined;

  constructor(agent: A, parts: NestParts<A>) {
    this.#agent = agent;
    this.#parts = parts;
  }

  /** Oldest first. */
  get children(): readonly A[] {
    return this.#children?.list ?? [];
  }

  async create(options: ChildOptions): Promise<A> {
    return createChild(this.#maker(), options);
  }

  /** What a run that begins spends from; `given` was handed in for it. */
  runBudget(given: Budget | undefined, moment: PurseMoment): Budget {
    const purse = this.#ownPurse();
    return given === undefined ? purse.begin(moment, this.#children?.busy ?? false) : purse.adopt(given);
  }

  /** The children as workers, for one call of a tool. */
  workers(call: WorkerCall): Workers {
    const { emitter } = this.#parts;
    return workersFor<A>(
      {
        agent: this.#agent,
        children: () => this.children,
        maker: () => this.#maker(),
        notice: (message) => emitter.notice(message),
        inTurn: (work) => {
          const turn = this.#turn.then(work);
          this.#turn = turn.catch(() => undefined);
          return turn;
        },
      },
      call,
    );
  }

  /** Something new waits for the agent's next request. */
  wake(): void {
    this.#children?.wake();
  }

  /** Resolves once something waits for the next request, once no work is left that was given to workers, or with the signal. */
  async awaitAnswers(signal: AbortSignal): Promise<void> {
    const { queue, emitter } = this.#parts;
    const children = this.#children;
    const waits = (): boolean => children?.working === true && queue.length === 0 && !signal.aborted;
    if (waits())
      emitter.notice(
        `Waiting for ${this.children
          .filter(({ busy }) => busy)
          .map(({ name }) => name)
          .join(", ")}.`,
      );
    while (waits()) await children?.change(signal);
  }

  /** Ends the children. Rejects with the first failure, once all have ended. */
  async close(): Promise<void> {
    await this.#children?.close();
  }

  #ownPurse(): Purse {
    this.#purse ??= new Purse(this.#parts.options.budget);
    return this.#purse;
  }

  #maker(): ChildMaker<A> {
    const { registry, options, emitter, queue, isolation, create } = this.#parts;
    const agent = this.#agent;
    const { env } = agent;
    this.#children ??= new Children<A>({
      emitter,
      receive: (message) => queue.put(message),
      keep: () => keepSession(agent.context),
    });
    const { now } = { ...SYSTEM_RUNTIME, ...options.runtime };
    return {
      env,
      context: agent.context,
      options: { ...options, model: agent.model },
      folder: agent.folder,
      isolation: isolation(),
      children: this.#children,
      purse: this.#ownPurse(),
      moment: { limits: budgetPolicy(agent.policy.budget, options, {}), now: now() },
      busy: agent.busy,
      resolve: (selector) =>
        (options.stream === undefined ? resolveModel(env, selector) : nameModel(selector)).selector,
      claim: (name) => registry.claim(env, name),
      capacity: (selector) => modelCapacity(env.settings, registry.of(env), selector),
      create: (own) => create(own, agent),
    };
  }
}
