import { addUsage, Context, NO_USAGE, type SessionInfo, type Usage, type UserMessage } from "@ashlar/context";
import type { ToolDescriptor } from "@ashlar/context/provider";
import type { EnvOf, EventKey, Extended } from "@ashlar/env";
import { IO, type IOEnv } from "@ashlar/io";
import { AgentEmitter, type StreamListener } from "./agent-emitter.js";
import { AgentError } from "./agent-error.js";
import { AGENT_EVENT, type AgentEventKeys } from "./agent-events.js";
import { type AgentModel, nameModel, resolveModel } from "./agent-model.js";
import {
  type AgentCreateOptions,
  checkAgentOptions,
  checkRunOptions,
  type RunOptions,
} from "./agent-options.js";
import { AgentRegistry } from "./agent-registry.js";
import { AgentTools } from "./agent-tools.js";
import type { AgentCapabilities } from "./children/capabilities.js";
import type { ChildOptions } from "./children/child-options.js";
import { Nest } from "./children/nest.js";
import { workFolder } from "./children/work-folder.js";
import type { BranchSummaryOptions, BranchSummaryResult } from "./compaction/branch-summary.js";
import { summarizeBranch } from "./compaction/branch-summary.js";
import { type CompactOptions, compactByHand } from "./compaction/compact-by-hand.js";
import type { CompactionResult } from "./compaction/compact-context.js";
import { type AgentContextUsage, ContextMeter } from "./context-meter.js";
import { type AgentAddsOf, installAgentPlugin } from "./env-plugin.js";
import { AgentHooks } from "./hooks/agent-hooks.js";
import type { ResultEvent, ToolResultEvent } from "./loop/stream-event.js";
import { type ModelSession, openModelSession } from "./model-session.js";
import type { AgentPolicy } from "./policy.js";
import { MessageQueue, type SendOptions, type UserInput } from "./queue/message-queue.js";
import { createRunHost } from "./run/create-run-host.js";
import { RunSchedule } from "./run/run-schedule.js";
import type { Work, WorkOptions } from "./run/run-slot.js";
import { forkOptions } from "./session/fork-agent.js";
import { closeSession, sessionInfoOf } from "./session/session-binding.js";
import { policyFor } from "./shared-policy.js";
import type { Change, UndoResult } from "./undo/undo-journal.js";

/** What this layer adds to every Env. */
export interface AgentAdds extends AgentAddsOf<Agent> {}

const registry = new AgentRegistry<Agent>();
const plugin: Extended<typeof IOEnv, AgentAdds> = installAgentPlugin<Agent>({
  registry,
  create: (env, options) => new Agent({ ...options, env: requireEnv(env) }),
});
export const AgentEnv: typeof plugin.Env = plugin.Env;
export type AgentEnv = EnvOf<typeof AgentEnv>;

export interface AgentOptions extends AgentCreateOptions {
  /** Default: the open Env of the process's folder. */
  readonly env?: AgentEnv;
}

/** One conversation with one model: it owns the context, the loop and the tool calls. Headless. */
export class Agent {
  static readonly EVENT: AgentEventKeys = AGENT_EVENT;
  static readonly Context: typeof Context = Context;
  static readonly IO: typeof IO = IO;
  static readonly Env: typeof AgentEnv = AgentEnv;

  readonly context: Context;
  readonly name: string;
  readonly description: string;
  /** The agent that made it. */
  readonly parent: Agent | undefined;
  /** Absolute and real: where its calls start, and the only place that they write to. */
  readonly folder: string;
  readonly #env: AgentEnv;
  readonly #options: AgentCreateOptions;
  readonly #emitter = new AgentEmitter();
  readonly #hooks: AgentHooks;
  readonly #queue: MessageQueue;
  readonly #tools: AgentTools;
  /** The next two are made when something first needs them: an idle agent is small. */
  #ownRuns: RunSchedule | undefined;
  #ownNest: Nest<Agent> | undefined;
  #marked = false;
  #model: AgentModel;
  #policy: AgentPolicy;
  #modelSession: ModelSession | undefined;
  #usage: Usage = NO_USAGE;
  #closing: Promise<void> | undefined;

  /** Throws kind `usage` or `settings` for what cannot be right. `parent` is for `childCreate`. */
  constructor(options: AgentOptions = {}, parent?: Agent) {
    checkAgentOptions(options);
    // Only what later runs need is kept.
    const { env, context, model, name, description, can, folder, ...kept } = options;
    this.#env = requireEnv(env ?? defaultEnv());
    this.#options = kept;
    this.#model = this.#resolve(model);
    this.#policy = policyFor(this.#env, this.#model.endpoint, this.#model.model);
    this.context =
      context instanceof Context ? context : new Context(context === undefined ? {} : { items: context });
    this.name = name ?? registry.nextName();
    this.description = description ?? "";
    this.parent = parent;
    this.folder = workFolder(this.#env, folder, parent?.folder);
    this.#queue = new MessageQueue({ steer: kept.steering, followUp: kept.followUp });
    const notice = (message: string): void => this.#emitter.notice(message);
    this.#hooks = new AgentHooks({ agent: this, notice, interceptors: kept.interceptors });
    this.#tools = new AgentTools({
      agent: this,
      options: kept,
      can,
      emitter: this.#emitter,
      hooks: this.#hooks,
      nest: () => this.#nest,
    });
    this.#hooks.open();
    registry.add(this.#env, this);
    plugin.emit(this.#env, "AGENT_ADDED", { agent: this });
  }

  /** A new agent that goes on from where this one is; the two share nothing that changes, and each has its own session if this one has one. */
  static async fork(agent: Agent): Promise<Agent> {
    const { context, env, model, description, can, folder } = agent;
    return env.agentOpen(await forkOptions(context, { ...agent.#options, model, description, can, folder }));
  }

  /** What the agent may do; `write` is forced off once no working sandbox was found. */
  get can(): AgentCapabilities {
    return this.#tools.can;
  }

  get env(): AgentEnv {
    return this.#env;
  }

  /** Qualified `endpoint/model`. An assignment counts from the next run on; throws kind `usage` for an unknown one. */
  get model(): string {
    return this.#model.selector;
  }
  set model(selector: string) {
    const model = this.#resolve(selector);
    this.#policy = policyFor(this.#env, model.endpoint, model.model);
    this.#model = model;
    this.#modelSession = undefined;
  }

  /** Where the conversation is kept; undefined for one that is kept nowhere. */
  get session(): SessionInfo | undefined {
    return sessionInfoOf(this.context);
  }

  get policy(): AgentPolicy {
    return this.#policy;
  }

  /** Tokens of all requests of this agent so far. */
  get usage(): Usage {
    return this.#usage;
  }

  get contextUsage(): AgentContextUsage {
    const session = this.#modelSession;
    const used = (session?.meter ?? new ContextMeter()).measure(this.context, this.#tools.descriptors());
    return { used, total: session?.window.within(session.link.contextUsage()?.total) };
  }

  /** What the model may call now, by name. */
  get tools(): Promise<ReadonlyMap<string, ToolDescriptor>> {
    return Promise.resolve(new Map(this.#tools.descriptors().map((tool) => [tool.name, tool])));
  }

  get busy(): boolean {
    return this.#ownRuns?.slot.busy ?? false;
  }

  /** The agents that it made, oldest first. */
  get children(): readonly Agent[] {
    return this.#ownNest?.children ?? [];
  }

  /** Nothing new begins. */
  get closeMarked(): boolean {
    return this.#marked;
  }

  /** Closed, or closing. */
  get closed(): boolean {
    return this.#closing !== undefined;
  }

  /** How many messages wait for the next request. */
  get pending(): number {
    return this.#queue.length;
  }

  /** Epoch milliseconds: until then the provider wants no request; undefined when it said nothing of the kind. */
  get throttledUntil(): number | undefined {
    return this.#ownRuns?.throttledUntil;
  }

  /** Epoch milliseconds at which a run begins by itself; undefined when none is scheduled. */
  get scheduledAt(): number | undefined {
    return this.#ownRuns?.at;
  }

  /**
   * Queues a user message for the next request, of this run or the next one; as `followUp`, for when the model would stop.
   * Text of blanks only queues nothing, so that the run goes on from where the conversation is. Throws kind `closed`.
   */
  send(input: UserInput, options: SendOptions = {}): void {
    this.#checkOpen("send");
    this.#queue.add(input, options.as);
    this.#ownNest?.wake();
  }

  /** Takes the waiting messages back, of both kinds, in the order in which they were sent. */
  pendingPop(): readonly UserMessage[] {
    return this.#queue.take();
  }

  /**
   * Answers what waits: requests and tool calls, until the model is done or something stops it. Resolves with the result,
   * also of a run that failed. Rejects with kind `usage`, `busy` or `closed` when it cannot begin.
   */
  async run(options: RunOptions = {}): Promise<ResultEvent> {
    checkRunOptions(options);
    this.#checkOpen("run");
    this.#checkIdle("Wait for it, or send() what it should take up.");
    return this.#runs.run(options);
  }

  /** `run`, as soon as the provider takes requests again. */
  runWhenReady(options: RunOptions = {}): Promise<ResultEvent> {
    return this.run({ ...options, after: this.#runs.untilReady });
  }

  /** Puts a summary in the place of old messages. Rejects with kind `busy`, `closed` or `compaction`; the conversation is then as it was. */
  compact(options: CompactOptions = {}): Promise<CompactionResult> {
    return this.#occupy("compact", compactByHand, options);
  }

  /** Goes to another place of the session and leaves a summary there of the branch that was left. Rejects as `compact` does, and with kind `usage` for a place that is not held. */
  summarizeBranch(options: BranchSummaryOptions): Promise<BranchSummaryResult> {
    return this.#occupy("summarizeBranch", summarizeBranch, options);
  }

  /** Ends the run under way, in whatever phase it is, and one that is scheduled; its result says `cancelled`. */
  cancel(): void {
    this.#ownRuns?.cancel();
    this.#ownRuns?.slot.cancel();
  }

  /**
   * One call by hand, on the way that the calls of a model take; its result joins no context. Resolves also for a call
   * that fails or is refused. Rejects with kind `busy` or `closed`.
   */
  async toolCall(name: string, args: unknown = {}): Promise<ToolResultEvent> {
    this.#checkOpen("toolCall");
    this.#checkIdle("Its calls and yours would mix.");
    return this.#tools.call(name, args);
  }

  /**
   * Makes an agent below this one: it has no more than this one has, spends from its budget, answers to it and ends with
   * it. Rejects with kind `usage` for a name, folder or tool it cannot have, and when no more children fit; with `closed`.
   */
  async childCreate(options: ChildOptions): Promise<Agent> {
    this.#checkOpen("childCreate");
    return this.#nest.create(options);
  }

  /** What tools changed in this project, by any agent, oldest first. */
  changes(): Promise<readonly Change[]> {
    return this.#tools.changes();
  }

  /**
   * Puts back what one call changed, by the id of the call or of a change; without one, the last call that can be undone.
   * Rejects with kind `undo` when a file is not what the call left; then nothing was put back.
   */
  undo(id?: string): Promise<UndoResult> {
    return this.#tools.undo(id);
  }

  /** From now on nothing new begins; what is under way goes on until `close`. */
  closeMark(): void {
    if (this.#marked) return;
    this.#marked = true;
    this.#ownRuns?.cancel();
    this.#emitter.signal(AGENT_EVENT.CLOSE_MARKED, undefined);
  }

  /** Ends the children, lets the run under way end, then lets everything go. Rejects with kind `storage` when the context could not be saved, else with what could not be ended. */
  close(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  /** Every event of every run, in order. Returns the function that ends the subscription. */
  subscribe(listener: StreamListener): () => void {
    return this.#emitter.subscribe(listener);
  }

  /** Listens to one kind of event (`Agent.EVENT.TEXT_DELTA`). Returns the handle for `offEvent`. */
  onEvent<P>(event: EventKey<P>, listener: (payload: P) => void): number {
    return this.#emitter.on(event, listener);
  }

  offEvent(handle: number): boolean {
    return this.#emitter.off(handle);
  }

  async #shutDown(): Promise<void> {
    this.closeMark();
    const children = this.#ownNest?.close();
    try {
      await Promise.allSettled([children, this.#ownRuns?.slot.settled]);
      await this.#modelSession?.link.close();
      // A command that cannot be ended does not cost the session.
      await this.#tools.close().finally(() => closeSession(this.context));
      await children;
    } finally {
      registry.remove(this.#env, this);
      plugin.emit(this.#env, "AGENT_REMOVED", { agent: this });
      this.#emitter.signal(AGENT_EVENT.CLOSED, undefined);
      this.#hooks.close();
    }
  }

  get #runs(): RunSchedule {
    this.#ownRuns ??= new RunSchedule({
      options: this.#options,
      host: (options) => this.#runHost(options),
      isOpen: () => !this.#marked,
      notice: (message) => this.#emitter.notice(message),
    });
    return this.#ownRuns;
  }

  get #nest(): Nest<Agent> {
    this.#ownNest ??= new Nest<Agent>(this, {
      registry,
      options: this.#options,
      emitter: this.#emitter,
      queue: this.#queue,
      isolation: () => this.#tools.isolation,
      create: (options, parent) => new Agent({ ...options, env: parent.env }, parent),
    });
    return this.#ownNest;
  }

  #resolve(selector: string | undefined): AgentModel {
    return this.#options.stream === undefined ? resolveModel(this.#env, selector) : nameModel(selector);
  }

  #runHost(options: RunOptions): ReturnType<typeof createRunHost> {
    this.#modelSession ??= openModelSession(this.#env, this.model, this.#options.stream);
    const parts = {
      ...this.#modelSession,
      ...this.#tools.parts(),
      selector: this.model,
      context: this.context,
      queue: this.#queue,
      content: this.#env,
      hooks: this.#hooks,
      systemPrompt: () => this.#env.systemPrompt(),
      onUsage: (usage: Usage) => {
        this.#usage = addUsage(this.#usage, usage);
      },
      nest: this.#nest,
    };
    return createRunHost(parts, this.#options, options);
  }

  async #occupy<O extends WorkOptions, R>(action: string, work: Work<O, R>, options: O): Promise<R> {
    this.#checkOpen(action);
    this.#checkIdle("Wait for it.");
    const host = this.#runHost({});
    return this.#runs.slot.occupy((signal) => work(host, options, signal), options.signal);
  }

  #checkIdle(remedy: string): void {
    if (this.busy) throw new AgentError("busy", `${this.name} has a run under way. ${remedy}`, {});
  }

  #checkOpen(action: string): void {
    if (this.#marked) throw new AgentError("closed", `agent.${action}: ${this.name} is closed.`, {});
  }
}

function requireEnv(env: unknown): AgentEnv {
  if (env instanceof AgentEnv) return env;
  throw new AgentError(
    "usage",
    "new Agent: env must be an Env, such as `await Agent.Env.open(folder)` gives.",
    { argument: "env" },
  );
}

function defaultEnv(): AgentEnv | undefined {
  return AgentEnv.envs.get(process.cwd());
}
