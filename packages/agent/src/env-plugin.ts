import type { Env, Extended, LayerName } from "@ashlar/env";
import { IOEnv } from "@ashlar/io";
import type { AgentCreateOptions } from "./agent-options.js";
import type { AgentRegistry, RegisteredAgent } from "./agent-registry.js";
import { type AgentSettings, DEFAULT_AGENT_SETTINGS } from "./agent-settings.js";
import { capacityOf, type ModelCapacity } from "./capacity.js";
import { agentSettingsSchema } from "./generated/agent-settings-schema.js";
import { PackageIsolation } from "./isolation/package-isolation.js";
import { isObject } from "./loop/json-object.js";
import { instructionFiles, readSystemPrompt } from "./system-prompt.js";

/** What this layer adds to every Env, for the class of its agents. */
export interface AgentAddsOf<A> {
  members: {
    /** An agent over this Env; over the safe view, one that cannot write. */
    agentCreate(options?: AgentCreateOptions): A;
    /** The open agents, oldest first. */
    agents(): readonly A[];
    /** The texts a new conversation starts with, read now: the setting `system`, then the user's and the project's AGENTS.md. */
    systemPrompt(): Promise<readonly string[]>;
  };
  events: { AGENT_ADDED: { readonly agent: A }; AGENT_REMOVED: { readonly agent: A } };
  modelInfo: ModelCapacity;
  settings: AgentSettings;
}

export interface AgentPluginParts<A extends RegisteredAgent> {
  readonly registry: AgentRegistry<A>;
  readonly create: (env: Env, options: AgentCreateOptions) => A;
}

/** Installs the agent layer's members on Env. */
export function installAgentPlugin<A extends RegisteredAgent>({
  registry,
  create,
}: AgentPluginParts<A>): Extended<typeof IOEnv, AgentAddsOf<A>> {
  return IOEnv.extend<AgentAddsOf<A>>({
    name: "@ashlar/agent",
    methods: {
      agentCreate(options = {}) {
        return create(this, options);
      },
      agents() {
        return registry.of(this);
      },
      systemPrompt() {
        const { system } = this.settings;
        return readSystemPrompt({
          system: typeof system === "string" ? system : undefined,
          base: this.cwd,
          files: instructionFiles([
            this.hasLayer("user") ? this.folders.config : undefined,
            this.hasLayer("project") ? this.cwd : undefined,
          ]),
        });
      },
    },
    events: ["AGENT_ADDED", "AGENT_REMOVED"],
    modelInfo: (env, { endpoint, model }) => {
      const active = registry
        .of(env)
        .filter((agent) => agent.busy && agent.model === `${endpoint}/${model}`).length;
      return capacityOf({ settings: env.settings, endpoint, model, active });
    },
    toolIsolation: (env, readOnlyProcess) => new PackageIsolation(env, readOnlyProcess),
    settings: {
      context: { ...documented("context"), default: DEFAULT_AGENT_SETTINGS.context, layers: EVERYWHERE },
      retry: { ...documented("retry"), default: DEFAULT_AGENT_SETTINGS.retry, layers: EVERYWHERE },
      budget: { ...documented("budget"), default: DEFAULT_AGENT_SETTINGS.budget },
      maxActive: { ...documented("maxActive"), default: DEFAULT_AGENT_SETTINGS.maxActive },
      system: { ...documented("system"), default: undefined },
      sandbox: { ...documented("sandbox"), default: DEFAULT_AGENT_SETTINGS.sandbox, layers: EVERYWHERE },
      permissions: { ...documented("permissions"), default: undefined, layers: EVERYWHERE, rules: true },
    },
  });
}

/** A project may set these for itself: neither spends more nor says more. */
const EVERYWHERE: readonly LayerName[] = ["package", "packages", "user", "project", "constructor"];

/** Schema and description of one key, from the generated schema. */
function documented(key: keyof AgentSettings): { readonly schema: object; readonly description: string } {
  const { properties } = agentSettingsSchema;
  const found = isObject(properties) ? properties[key] : undefined;
  const { default: _default, description, ...schema } = isObject(found) ? found : {};
  return { schema, description: typeof description === "string" ? description : key };
}
