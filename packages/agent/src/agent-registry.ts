import type { Env } from "@ashlar/env";
import { AgentError } from "./agent-error.js";
import { looksAlike } from "./children/agent-name.js";

/** What the registry needs of an agent. */
export interface RegisteredAgent {
  readonly name: string;
  readonly model: string;
  readonly busy: boolean;
  readonly cancel: () => void;
  readonly close: () => Promise<void>;
}

/** The open agents of each Env, in the order they were made. The safe view of an Env shares its agents. */
export class AgentRegistry<A extends RegisteredAgent> {
  readonly #agents = new WeakMap<object, Set<A>>();
  /** Names of agents that are being made. */
  readonly #claimed = new WeakMap<object, Set<string>>();
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

  /** Holds a name for an agent that is being made; gives the way to let it go. Throws kind `usage` when one reads alike. */
  claim(env: Env, name: string): () => void {
    const key = keyOf(env);
    const claimed = this.#claimed.get(key) ?? new Set();
    const other = [...this.of(env).map((agent) => agent.name), ...claimed].find((taken) =>
      looksAlike(taken, name),
    );
    if (other !== undefined) {
      const problem = `name: ${JSON.stringify(name)} is taken, or reads like one that is: an agent is called ${JSON.stringify(other)}. Close that one, or take another name.`;
      throw new AgentError("usage", problem, { argument: "name" });
    }
    this.#claimed.set(key, claimed.add(name));
    return () => void claimed.delete(name);
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
