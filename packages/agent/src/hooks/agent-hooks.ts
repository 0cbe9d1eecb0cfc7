import { type EnvHooks, hooksOf, type ObservedAgent } from "./env-hooks.js";
import type { HookAgent, Interceptor } from "./interceptor.js";
import { createChain, type InterceptorChain } from "./interceptor-chain.js";

export interface AgentHooksOptions extends ObservedAgent {
  /** Of the agent's own options; they come after those of the Env. */
  readonly interceptors: readonly Interceptor[] | undefined;
}

/** The hooks of one agent: those of its Env and its own. */
export class AgentHooks {
  readonly #env: EnvHooks;
  readonly #observed: ObservedAgent;
  readonly #own: readonly Interceptor[];

  constructor({ agent, notice, interceptors }: AgentHooksOptions) {
    this.#env = hooksOf(agent.env);
    this.#observed = { agent, notice };
    this.#own = interceptors ?? [];
  }

  /** The agent is there: from now on it is observed. */
  open(): void {
    this.#env.attach(this.#observed);
  }

  get agent(): HookAgent {
    return this.#observed.agent;
  }

  /** Who takes part in what begins now; undefined: nobody. Gives up waiting for hook files once `signal` fires. */
  async chain(signal: AbortSignal): Promise<InterceptorChain | undefined> {
    if (!this.#env.loaded) await this.#load(signal);
    return createChain([...this.#env.interceptors, ...this.#own]);
  }

  /** Nothing is observed any more. */
  close(): void {
    this.#env.detach(this.#observed);
  }

  async #load(signal: AbortSignal): Promise<void> {
    let release = (): void => {};
    const aborted = new Promise<void>((resolve) => {
      release = resolve;
      signal.addEventListener("abort", release, { once: true });
      if (signal.aborted) resolve();
    });
    const loading = this.#env.load().then((problems) => {
      for (const { message } of problems) this.#observed.notice(message);
    });
    await Promise.race([loading, aborted]);
    signal.removeEventListener("abort", release);
  }
}
