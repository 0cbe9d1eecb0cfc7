import type { SessionRepository } from "@ashlar/context";
import type { Env, Extended, LayerName } from "@ashlar/env";
import { IOEnv } from "@ashlar/io";
import type { AgentCreateOptions } from "./agent-options.js";
import type { AgentRegistry, RegisteredAgent } from "./agent-registry.js";
import { type AgentSettings, DEFAULT_AGENT_SETTINGS } from "./agent-settings.js";
import { type ModelCapacity, modelCapacity } from "./capacity.js";
import { agentSettingsSchema } from "./generated/agent-settings-schema.js";
import { type HookProblem, hooksOf } from "./hooks/env-hooks.js";
import type { Observers } from "./hooks/observers.js";
import { PackageIsolation } from "./isolation/package-isolation.js";
import { isObject } from "./loop/json-object.js";
import { openAgent } from "./session/open-session.js";
import type { AgentOpenOptions } from "./session/session-choice.js";
import { sessionRepository, useRepository } from "./session/session-repository.js";
import { instructionFiles, readSystemPrompt } from "./system-prompt.js";

/** What this layer adds to every Env, for the class of its agents. */
export interface AgentAddsOf<A> {
  members: {
    /** An agent over this Env; over the safe view, one that cannot write. */
    agentCreate(options?: AgentCreateOptions): A;
    /** An agent whose conversation is kept: in a new session, in one that it goes on with, or in the fork of one. */
    agentOpen(options?: AgentOpenOptions): Promise<A>;
    /** Where conversations are kept: what `sessionsUse` was given last, else what the setting `sessions` says. */
    sessions(): Promise<SessionRepository>;
    /** From now on conversations are kept there. Whoever made it closes it. */
    sessionsUse(repository: SessionRepository): void;
    /** The open agents, oldest first. */
    agents(): readonly A[];
    /** Watches the events of every agent there is and will be. Returns the function that ends it; throws kind `usage`. */
    observe(observers: Observers): () => void;
    /** Reads the hook files again; one that fails keeps its earlier version. Resolves with what is wrong; never rejects. */
    hooksRefresh(): Promise<readonly HookProblem[]>;
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
      agentOpen(options = {}) {
        return openAgent(this, options, (own) => create(this, own));
      },
      sessions() {
        return sessionRepository(this);
      },
      sessionsUse(repository) {
        useRepository(this, repository);
      },
      agents() {
        return registry.of(this);
      },
      observe(observers) {
        return hooksOf(this).observe(observers);
      },
      hooksRefresh() {
        return hooksOf(this).refresh();
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
          expand: (text) => this.expandIncludes(text),
        });
      },
    },
    events: ["AGENT_ADDED", "AGENT_REMOVED"],
    modelInfo: (env, { endpoint, model }) =>
      modelCapacity(env.settings, registry.of(env), `${endpoint}/${model}`),
    toolIsolation: (env, readOnlyProcess) => new PackageIsolation(env, readOnlyProcess),
    settings: {
      context: { ...documented("context"), default: DEFAULT_AGENT_SETTINGS.context, layers: EVERYWHERE },
      retry: { ...documented("retry"), default: DEFAULT_AGENT_SETTINGS.retry, layers: EVERYWHERE },
      budget: { ...documented("budget"), default: DEFAULT_AGENT_SETTINGS.budget },
      maxActive: { ...documented("maxActive"), default: DEFAULT_AGENT_SETTINGS.maxActive },
      system: { ...documented("system"), default: undefined },
      sandbox: { ...documented("sandbox"), default: DEFAULT_AGENT_SETTINGS.sandbox, layers: EVERYWHERE },
      sessions: { ...documented("sessions"), default: DEFAULT_AGENT_SETTINGS.sessions },
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
