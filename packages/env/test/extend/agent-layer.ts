import { Env, type EnvOf, type Extended } from "@ashlar/env";

export interface FakeAgent {
  readonly name: string;
}

export interface AgentAdds {
  members: {
    agentCreate(options?: { name?: string }): FakeAgent;
    agents(): readonly FakeAgent[];
    pick<T>(of: readonly T[]): T | undefined;
    readonly agentCount: number;
  };
  events: { AGENT_ADDED: { agent: FakeAgent }; AGENT_REMOVED: { agent: FakeAgent } };
  modelInfo: { maxActive: number; active: number };
  settings: { maxActive: number };
}

const registries = new WeakMap<object, FakeAgent[]>();

/** One list for an Env and its safe view. */
function registry(env: { readonly safe: object }): FakeAgent[] {
  const found = registries.get(env.safe) ?? [];
  registries.set(env.safe, found);
  return found;
}

export const plugin: Extended<typeof Env, AgentAdds> = Env.extend<AgentAdds>({
  name: "agent",
  methods: {
    agentCreate(options) {
      const agent = { name: options?.name ?? "agent" };
      registry(this).push(agent);
      plugin.emit(this, "AGENT_ADDED", { agent });
      return agent;
    },
    agents() {
      return [...registry(this)];
    },
    pick(of) {
      return of[this.agentCount - 1];
    },
  },
  getters: {
    agentCount() {
      return this.agents().length;
    },
  },
  events: ["AGENT_ADDED", "AGENT_REMOVED"],
  modelInfo: (env) => ({ maxActive: plugin.settings(env).maxActive, active: env.agentCount }),
  settings: {
    maxActive: { schema: { type: "integer", minimum: 0 }, default: 8, description: "Agents at once." },
  },
});
export const AgentEnv: typeof plugin.Env = plugin.Env;
export type AgentEnv = EnvOf<typeof AgentEnv>;
