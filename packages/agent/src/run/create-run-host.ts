import type { Context, Usage } from "@ashlar/context";
import type { ToolDescriptor } from "@ashlar/context/provider";
import { parseDuration, type ToolInfo } from "@ashlar/env";
import type { AgentEmitter } from "../agent-emitter.js";
import { AgentError } from "../agent-error.js";
import type { AgentCreateOptions, RunOptions } from "../agent-options.js";
import type { AgentCapabilities } from "../children/capabilities.js";
import type { PurseMoment } from "../children/purse.js";
import type { ContextMeter } from "../context-meter.js";
import type { ToolHost } from "../dispatch/tool-host.js";
import type { AgentHooks } from "../hooks/agent-hooks.js";
import type { AgentSandbox } from "../isolation/agent-sandbox.js";
import { Budget } from "../loop/budget.js";
import type { CallIds } from "../loop/call-ids.js";
import type { ModelLink } from "../model-link.js";
import type { Permissions } from "../permission/permissions.js";
import { type AgentPolicy, type BudgetPolicy, resolveBudget } from "../policy.js";
import type { MessageQueue } from "../queue/message-queue.js";
import { SYSTEM_RUNTIME } from "../runtime.js";
import { RunJournal } from "../session/run-journal.js";
import type { StreamOptions } from "../stream-function.js";
import type { AgentRuntime, RunHost, ToolHostParts } from "./run-host.js";

/** What an agent puts into each of its runs. */
export interface RunParts {
  readonly selector: string;
  readonly context: Context;
  readonly queue: MessageQueue;
  readonly emitter: AgentEmitter;
  readonly policy: AgentPolicy;
  readonly link: ModelLink;
  readonly ids: CallIds;
  readonly meter: ContextMeter;
  readonly descriptors: () => readonly ToolDescriptor[];
  readonly tools: () => ReadonlyMap<string, ToolInfo>;
  readonly env: ToolHost["env"];
  readonly can: AgentCapabilities;
  /** Absolute path of the folder the calls work in. */
  readonly folder: string;
  readonly sandbox: AgentSandbox;
  readonly permissions: Permissions;
  readonly systemPrompt: () => Promise<readonly string[]>;
  readonly onUsage: (usage: Usage) => void;
  readonly hooks: AgentHooks;
  /** Gives what a run that begins spends from. */
  readonly nest: { readonly runBudget: (given: Budget | undefined, moment: PurseMoment) => Budget };
}

/** One run's host, from the agent's parts and what agent and run were asked for. Throws kind `usage`. */
export function createRunHost(parts: RunParts, agent: AgentCreateOptions, run: RunOptions): RunHost {
  const runtime: AgentRuntime = { ...SYSTEM_RUNTIME, ...agent.runtime };
  const policy = budgetPolicy(parts.policy.budget, agent, run);
  const budget = parts.nest.runBudget(sharedBudget(agent, run), { limits: policy, now: runtime.now() });
  const { link } = parts;
  if (Number.isFinite(budget.limits.cost) && link.price === undefined) {
    throw new AgentError(
      "usage",
      `budget.cost is ${budget.limits.cost}, but ${parts.selector} has no price, so its cost cannot be limited. Give the model a price, or use budget.tokens.`,
      { argument: "budget.cost" },
    );
  }
  return {
    context: parts.context,
    queue: parts.queue,
    emitter: parts.emitter,
    ids: parts.ids,
    meter: parts.meter,
    policy: {
      retry: parts.policy.retry,
      context: parts.policy.context,
      repetition: { stop: policy.repeats },
      decided: false,
    },
    budget,
    runtime,
    stream: link.stream,
    foreignStream: link.foreign,
    streamOptions: streamOptions(parts.selector, agent, run),
    descriptors: parts.descriptors,
    window: () => link.contextUsage()?.total,
    price: link.price,
    authReload: link.authReload,
    toolHost: (own) => createToolHost(parts, agent, own),
    hooks: parts.hooks,
    hookTimeoutMs: parts.policy.tools.timeout,
    systemPrompt: parts.systemPrompt,
    journal: RunJournal.of(parts.context, parts.selector),
    onUsage: parts.onUsage,
  };
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

function streamOptions(
  model: string,
  agent: AgentCreateOptions,
  run: RunOptions,
): Omit<StreamOptions, "tools" | "signal"> {
  const thinking = run.thinking ?? agent.thinking;
  const format = run.format ?? agent.format;
  const timeout = run.timeout ?? agent.timeout;
  const settings = agent.settings === undefined ? run.settings : { ...agent.settings, ...run.settings };
  return {
    model,
    ...(thinking !== undefined && { thinking }),
    ...(format !== undefined && { format }),
    ...(settings !== undefined && { settings }),
    ...(timeout !== undefined && { timeouts: { overallMs: parseDuration(timeout, "timeout") } }),
  };
}

/** What dispatch needs of an agent. */
export type ToolParts = Pick<
  RunParts,
  "context" | "tools" | "env" | "policy" | "can" | "folder" | "sandbox" | "permissions" | "emitter" | "hooks"
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
    agent: parts.hooks.agent,
    context: parts.context,
    question,
    execution,
    notice: (message) => parts.emitter.notice(message),
    ...own,
  };
}
