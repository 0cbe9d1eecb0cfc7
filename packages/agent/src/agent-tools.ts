import { randomBytes } from "node:crypto";
import type { Context, ToolCallBlock } from "@ashlar/context";
import type { ToolDescriptor } from "@ashlar/context/provider";
import type { Env, ToolInfo } from "@ashlar/env";
import type { AgentEmitter } from "./agent-emitter.js";
import { AgentError } from "./agent-error.js";
import type { AgentCreateOptions } from "./agent-options.js";
import { type AgentCapabilities, Capabilities, type RequestedCapabilities } from "./children/capabilities.js";
import { callByHand } from "./dispatch/call-by-hand.js";
import type { AgentHooks } from "./hooks/agent-hooks.js";
import { AgentSandbox } from "./isolation/agent-sandbox.js";
import type { Isolation } from "./isolation/isolation.js";
import type { ToolResultEvent } from "./loop/stream-event.js";
import { Permissions } from "./permission/permissions.js";
import type { AgentPolicy } from "./policy.js";
import { createToolHost, type RunParts, type ToolParts } from "./run/create-run-host.js";
import { otherModel } from "./run/other-model.js";
import { emitRunEvent } from "./run/run-events.js";
import { type Toolset, toolDescriptors, toolInfos } from "./toolset.js";
import { type Change, UndoJournal, type UndoResult } from "./undo/undo-journal.js";

/** The agent whose calls they are, as it is at the time of a call. */
export interface CallingAgent {
  readonly env: Env;
  readonly context: Context;
  /** Absolute and real: the only folder that calls write in. */
  readonly folder: string;
  readonly model: string;
  readonly policy: AgentPolicy;
  readonly parent: { readonly can: AgentCapabilities } | undefined;
}

export interface AgentToolsOptions {
  readonly agent: CallingAgent;
  readonly options: AgentCreateOptions;
  readonly can: RequestedCapabilities | undefined;
  readonly emitter: AgentEmitter;
  readonly hooks: AgentHooks;
  readonly nest: () => ToolParts["nest"];
}

/** What an agent has to call tools with: the catalogue, the rules, and the sandbox once a call needs it. */
export class AgentTools {
  readonly can: AgentCapabilities;
  readonly #options: AgentToolsOptions;
  #sandbox: AgentSandbox | undefined;
  #permissions: Permissions | undefined;

  constructor(options: AgentToolsOptions) {
    this.#options = options;
    this.can = new Capabilities(this, options.can ?? {});
  }

  /** Why nothing can be changed; undefined as long as nothing speaks against it. */
  get refusal(): string | undefined {
    return this.#sandbox?.refusal;
  }

  /** Nothing can be changed through this Env. */
  get readOnly(): boolean {
    return this.#options.agent.env.isSafe;
  }

  get parent(): AgentCapabilities | undefined {
    return this.#options.agent.parent?.can;
  }

  /** Where the calls of children run, too, unless it could not confine them. */
  get isolation(): Isolation | undefined {
    const { execution, isolation } = this.#options.options;
    return execution === undefined ? this.#ownSandbox().isolation : isolation;
  }

  descriptors(): readonly ToolDescriptor[] {
    return toolDescriptors(this.#toolset);
  }

  /** What dispatch needs. */
  parts(): ToolParts & Pick<RunParts, "descriptors" | "otherModel"> {
    const { agent, options, emitter, hooks, nest } = this.#options;
    const { env, context, policy, folder } = agent;
    this.#permissions ??= new Permissions({
      layers: () => env.settingLayers("permissions"),
      question: options.question,
    });
    const toolset = this.#toolset;
    return {
      // A run keeps to the model that it began with.
      descriptors: () => toolDescriptors(toolset),
      tools: () => toolInfos(toolset),
      otherModel: (wanted) => otherModel({ env, stream: options.stream, names: options.tools }, wanted),
      env: env.safe,
      context,
      policy,
      can: this.can,
      nest: nest(),
      folder,
      sandbox: this.#ownSandbox(),
      permissions: this.#permissions,
      emitter,
      hooks,
    };
  }

  /** One call by hand. Secret tools may be called, too. */
  call(name: string, args: unknown): Promise<ToolResultEvent> {
    const { options, emitter, hooks } = this.#options;
    const block: ToolCallBlock = {
      type: "toolCall",
      // Unique beyond this agent: a change is found by the id of its call.
      callId: `hand-${randomBytes(4).toString("hex")}`,
      name,
      // Arguments of a call are JSON; what is not is refused by validation.
      arguments: args as ToolCallBlock["arguments"],
    };
    const parts = { ...this.parts(), tools: () => this.#callable() };
    return callByHand(block, hooks, (own) =>
      createToolHost(parts, options, {
        ...own,
        emit: (event) => emitRunEvent(emitter, event),
        store: (message, event) => {
          own.store(message, event);
          emitter.toolResult(event, message);
        },
      }),
    );
  }

  async changes(): Promise<readonly Change[]> {
    return (await this.#journal()?.list()) ?? [];
  }

  async undo(id: string | undefined): Promise<UndoResult> {
    const journal = this.#journal();
    if (journal !== undefined) return journal.undo(id);
    throw new AgentError("undo", "This Env keeps no files of the user, so no change is recorded.", {});
  }

  async close(): Promise<void> {
    await this.#sandbox?.close();
  }

  #ownSandbox(): AgentSandbox {
    const { agent, options, emitter } = this.#options;
    this.#sandbox ??= new AgentSandbox({
      env: agent.env,
      folder: agent.folder,
      can: this.can,
      isolation: options.isolation,
      readOnly: readOnlyReason(options),
      notice: (message) => emitter.notice(message),
    });
    return this.#sandbox;
  }

  #journal(): UndoJournal | undefined {
    const { env } = this.#options.agent;
    if (this.#sandbox !== undefined) return this.#sandbox.journal;
    return env.hasLayer("user") ? new UndoJournal({ project: env.cwd, state: env.folders.state }) : undefined;
  }

  #callable(): ReadonlyMap<string, ToolInfo> {
    const { env, names, selector } = this.#toolset;
    const all = env.tools(false, selector);
    if (names === undefined || names.includes("*")) return all;
    return new Map([...all].filter(([name]) => names.includes(name)));
  }

  get #toolset(): Toolset {
    const { agent, options } = this.#options;
    // The Env does not know the model behind a stream that was handed in.
    const selector = options.stream === undefined ? agent.model : undefined;
    return { env: agent.env, names: options.tools, selector };
  }
}

function readOnlyReason({ toolCall, execution, isolation }: AgentCreateOptions): string | undefined {
  if (toolCall?.fork === false) return "toolCall.fork is false, so no process is started for a call";
  if (execution !== undefined && isolation === undefined)
    return "the tools work on another machine (execution), and no isolation is there that confines them on it";
  return undefined;
}
