import type { Context, UserMessage } from "@ashlar/context";
import type { Env } from "@ashlar/env";
import type { AgentEmitter } from "../agent-emitter.js";
import type { AgentCreateOptions } from "../agent-options.js";
import type { AgentRegistry, RegisteredAgent } from "../agent-registry.js";
import { modelCapacity } from "../capacity.js";
import type { Isolation } from "../isolation/isolation.js";
import type { Budget } from "../loop/budget.js";
import type { AgentPolicy } from "../policy.js";
import { budgetPolicy } from "../run/create-run-host.js";
import { SYSTEM_RUNTIME } from "../runtime.js";
import type { ChildOptions } from "./child-options.js";
import { type ChildAgent, Children } from "./children.js";
import { type ChildMaker, createChild } from "./create-child.js";
import { Purse, type PurseMoment } from "./purse.js";

/** An agent as its children and their makers see it. */
export interface NestAgent extends ChildAgent, RegisteredAgent {
  readonly env: Env;
  readonly context: Context;
  readonly policy: AgentPolicy;
}

/** What is the agent's own. */
export interface NestParts<A extends NestAgent> {
  readonly registry: AgentRegistry<A>;
  readonly options: AgentCreateOptions;
  readonly emitter: AgentEmitter;
  readonly queue: { readonly put: (message: UserMessage) => void };
  readonly tools: { readonly isolation: Isolation | undefined };
  /** Makes an agent below `parent`. */
  readonly create: (options: AgentCreateOptions, parent: A) => A;
}

/** An agent's children, and the budget they share with it. */
export class Nest<A extends NestAgent> {
  readonly #agent: A;
  readonly #parts: NestParts<A>;
  #purse: Purse | undefined;
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

  /** Ends the children. Rejects with the first failure, once all have ended. */
  async close(): Promise<void> {
    await this.#children?.close();
  }

  #ownPurse(): Purse {
    this.#purse ??= new Purse(this.#parts.options.budget);
    return this.#purse;
  }

  #maker(): ChildMaker<A> {
    const { registry, options, emitter, queue, tools, create } = this.#parts;
    const agent = this.#agent;
    const { env } = agent;
    this.#children ??= new Children<A>({ emitter, receive: (message) => queue.put(message) });
    const { now } = { ...SYSTEM_RUNTIME, ...options.runtime };
    return {
      env,
      context: agent.context,
      options: { ...options, model: agent.model },
      isolation: tools.isolation,
      children: this.#children,
      purse: this.#ownPurse(),
      moment: { limits: budgetPolicy(agent.policy.budget, options, {}), now: now() },
      busy: agent.busy,
      claim: (name) => registry.claim(env, name),
      capacity: (selector) => modelCapacity(env.settings, registry.of(env), selector),
      create: (own) => create(own, agent),
    };
  }
}
