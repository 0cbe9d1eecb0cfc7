import type { Context, Usage } from "@ashlar/context";
import type { ToolDescriptor } from "@ashlar/context/provider";
import type { Workers } from "@ashlar/context/tool";
import { parseDuration, type ToolInfo } from "@ashlar/env";
import type { AgentEmitter } from "../agent-emitter.js";
import { AgentError } from "../agent-error.js";
import type { AgentCreateOptions, RunOptions } from "../agent-options.js";
import type { AgentCapabilities } from "../children/capabilities.js";
import type { PurseMoment } from "../children/purse.js";
import type { WorkerCall } from "../children/worker-call.js";
import type { ContextMeter } from "../context-meter.js";
import type { ToolHost } from "../dispatch/tool-host.js";
import type { AgentHooks } from "../hooks/agent-hooks.js";
import type { AgentSandbox } from "../isolation/agent-sandbox.js";
import type { LearnedWindow } from "../learned-window.js";
import { Budget } from "../loop/budget.js";
import type { CallIds } from "../loop/call-ids.js";
import type { ModelLink } from "../model-link.js";
import type { Permissions } from "../permission/permissions.js";
import { type AgentPolicy, type BudgetPolicy, resolveBudget } from "../policy.js";
import type { MessageQueue } from "../queue/message-queue.js";
import { SYSTEM_RUNTIME } from "../runtime.js";
import { RunJournal } from "../session/run-journal.js";
import type { AgentRuntime, ModelHost, RunContent, RunHost, ToolHostParts } from "./run-host.js";
import { streamOptions } from "./stream-options.js";

/** What of the parts depends on the model. */
export type OtherModel = Pick<
  RunParts,
  "selector" | "policy" | "link" | "meter" | "window" | "descriptors" | "tools"
>;

/** What an agent puts into each of its runs. */
export interface RunParts {
  readonly selector: string;
  readonly context: Context;
  readonly queue: MessageQueue;
  readonly content: RunContent;
  readonly emitter: AgentEmitter;
  readonly policy: AgentPolicy;
  readonly link: ModelLink;
  readonly ids: CallIds;
  readonly meter: ContextMeter;
  readonly window: LearnedWindow;
  readonly descriptors: () => readonly ToolDescriptor[];
  readonly tools: () => ReadonlyMap<string, ToolInfo>;
  readonly env: ToolHost["env"];
  readonly can: AgentCapabilities;
  /** Absolute path of the folder the calls work in. */
  readonly folder: string;
  readonly sandbox: AgentSandbox;
  readonly permissions: Permissions;
  /** For an agent that was given none of its own. */
  readonly systemPrompt: () => Promise<readonly string[]>;
  readonly onUsage: (usage: Usage) => void;
  readonly hooks: AgentHooks;
  /** The rest of a run may go to another model. Throws as `env.connection` does. */
  readonly otherModel: (selector: string) => OtherModel;
  readonly nest: {
    /** What a run that begins spends from. */
    readonly runBudget: (given: Budget | undefined, moment: PurseMoment) => Budget;
    readonly workers: (call: WorkerCall) => Workers;
    readonly awaitAnswers: RunHost["awaitAnswers"];
  };
}

/** One run's host, from the agent's parts and what agent and run were asked for. Throws kind `usage`. */
export function createRunHost(parts: RunParts, agent: AgentCreateOptions, run: RunOptions): RunHost {
  const runtime: AgentRuntime = { ...SYSTEM_RUNTIME, ...agent.runtime };
  const policy = budgetPolicy(parts.policy.budget, agent, run);
  const budget = parts.nest.runBudget(sharedBudget(agent, run), { limits: policy, now: runtime.now() });
  requirePrice(parts, budget);
  return {
    ...modelHost(parts, agent, run),
    withModel: (selector) => {
      const other = parts.otherModel(selector);
      requirePrice(other, budget);
      return { ...modelHost({ ...parts, ...other }, agent, run), release: other.link.close };
    },
    context: parts.context,
    queue: parts.queue,
    content: parts.content,
    emitter: parts.emitter,
    ids: parts.ids,
    policy: {
      retry: parts.policy.retry,
      context: parts.policy.context,
      repetition: { stop: policy.repeats },
      decided: false,
    },
    budget,
    runtime,
    hooks: parts.hooks,
    hookTimeoutMs: parts.policy.tools.timeout,
    systemPrompt: async () => {
      if (agent.systemPrompt === undefined) return parts.systemPrompt();
      return agent.systemPrompt === false ? [] : [agent.systemPrompt];
    },
    journal: RunJournal.of(parts.context),
    onUsage: parts.onUsage,
    awaitAnswers: (signal) => parts.nest.awaitAnswers(signal),
  };
}

/** What of it depends on the model. */
function modelHost(parts: RunParts, agent: AgentCreateOptions, run: RunOptions): ModelHost {
  const { link } = parts;
  return {
    modelPolicy: parts.policy,
    meter: parts.meter,
    stream: link.stream,
    foreignStream: link.foreign,
    streamOptions: streamOptions(parts.selector, agent, run),
    descriptors: parts.descriptors,
    window: () => parts.window.within(link.contextUsage()?.total),
    onOverflow: (overflow, tokens) => parts.window.learn(overflow, tokens),
    price: link.price,
    authReload: link.authReload,
    toolHost: (own) => createToolHost(parts, agent, own),
  };
}

function requirePrice({ link, selector }: Pick<RunParts, "link" | "selector">, { limits }: Budget): void {
  if (!Number.isFinite(limits.cost) || link.price !== undefined) return;
  throw new AgentError(
    "usage",
    `budget.cost is ${limits.cost}, but ${selector} has no price, so its cost cannot be limited. Give the model a price, or use budget.tokens.`,
    { argument: "budget.cost" },
  );
}

/** A purse that was handed in. A child keeps to its parent's: throws kind `usage` for a run that would have another. */
function sharedBudget(agent: AgentCreateOptions, run: RunOptions): Budget | undefined {
  const isChild = agent.budget instanceof Budget && agent.budget.depth > 0;
  if (isChild && run.budget !== undefined)
    throw new AgentError("usage", "agent.run: budget: a child spends from its parent's budget.", {
      argument: "budget",
    });
  const given = run.budget ?? agent.budget;
  return given instanceof Budget ? given : undefined;
}

/** The time of a run counts only where nobody watches, unless it was asked for. */
export function budgetPolicy(base: BudgetPolicy, agent: AgentCreateOptions, run: RunOptions): BudgetPolicy {
  const watched = agent.question === undefined ? base : { ...base, durationMs: Number.POSITIVE_INFINITY };
  return [agent.budget, run.budget].reduce<BudgetPolicy>(
    (policy, given) =>
      given === undefined || given instanceof Budget ? policy : resolveBudget(given, "budget", policy),
    watched,
  );
}

/** What dispatch needs of an agent. */
export type ToolParts = Pick<
  RunParts,
  | "context"
  | "tools"
  | "env"
  | "policy"
  | "can"
  | "folder"
  | "sandbox"
  | "permissions"
  | "emitter"
  | "hooks"
  | "nest"
>;

/** The host of one batch of calls, or of a call by hand. */
export function createToolHost(
  parts: ToolParts,
  { question, execution, toolCall }: AgentCreateOptions,
  own: ToolHostParts,
): ToolHost {
  const timeout = toolCall?.timeout;
  return {
    tools: parts.tools(),
    env: parts.env,
    policy: parts.policy.tools,
    timeoutMs: timeout === undefined ? undefined : parseDuration(timeout, "toolCall.timeout"),
    can: parts.can,
    sandbox: parts.sandbox,
    permissions: parts.permissions,
    folder: parts.folder,
    workers: (call) => parts.nest.workers(call),
    agent: parts.hooks.agent,
    context: parts.context,
    question,
    execution,
    notice: (message) => parts.emitter.notice(message),
    ...own,
  };
}
