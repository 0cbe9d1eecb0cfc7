import type { Env } from "@ashlar/env";

/** What the registry needs of an agent. */
export interface RegisteredAgent {
  readonly model: string;
  readonly busy: boolean;
}

/** The open agents of each Env, in the order they were made. The safe view of an Env shares its agents. */
export class AgentRegistry<A extends RegisteredAgent> {
  readonly #agents = new WeakMap<object, Set<A>>();
  #named = 0;

  of(env: Env): readonly A[] {
    return [...(this.#agents.get(keyOf(env)) ?? [])];
  }

  add(env: Env, agent: A): void {
    const key = keyOf(env);
    const agents = this.#agents.get(key);
    if (agents === undefined) this.#agents.set(key, new Set([agent]));
    else agents.add(agent);
  }

  /** False when it was not there. */
  remove(env: Env, agent: A): boolean {
    return this.#agents.get(keyOf(env))?.delete(agent) ?? false;
  }

  /** `agent-1`, `agent-2`, … */
  nextName(): string {
    this.#named += 1;
    return `agent-${this.#named}`;
  }
}

/** The same for an Env and its safe view. */
function keyOf(env: Env): object {
  return env.safe;
}
