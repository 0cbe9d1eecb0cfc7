import { type Context, type ContextItem, type JsonSchema, nearestName } from "@ashlar/context";
import type { Execution, QuestionBridge } from "@ashlar/context/tool";
import type { ThinkingLevel } from "@ashlar/io";
import { AgentError } from "./agent-error.js";
import { agentNameProblem } from "./children/agent-name.js";
import type { RequestedCapabilities } from "./children/capabilities.js";
import { checkHookOptions } from "./hooks/hook-options.js";
import type { Interceptor } from "./hooks/interceptor.js";
import type { Isolation } from "./isolation/isolation.js";
import type { Budget } from "./loop/budget.js";
import { isObject } from "./loop/json-object.js";
import type { QueueMode } from "./queue/message-queue.js";
import type { AgentRuntime } from "./run/run-host.js";
import type { StreamFunction } from "./stream-function.js";

/** Limits of one run, as the settings key `budget` spells them; `false` is no limit. */
export interface BudgetOptions {
  readonly requests?: number | false;
  readonly tokens?: number | false;
  /** Milliseconds or a text such as `4h`. */
  readonly duration?: number | string | false;
  /** US dollars; needs a model with a price. */
  readonly cost?: number | false;
  readonly depth?: number;
  readonly width?: number;
  readonly repeats?: number | false;
}

/** How an agent is made over an Env. */
export interface AgentCreateOptions {
  /** Qualified `endpoint/model`, or anything `env.connection` takes. Default: the setting `model`. */
  readonly model?: string;
  /** Default: `agent-N`. */
  readonly name?: string;
  readonly description?: string;
  /** A context to take over as it is, or what a new one starts with. */
  readonly context?: Context | readonly ContextItem[];
  /** Names of the tools; `["*"]`, the default, is all of them, `[]` none. */
  readonly tools?: readonly string[];
  readonly can?: RequestedCapabilities;
  /** Where its calls start and the only place they write to: a folder of the project, absolute or relative to it. Default: all of it. */
  readonly folder?: string;
  /** Starts a new conversation instead of `env.systemPrompt()`; false: nothing does. */
  readonly systemPrompt?: string | false;
  readonly thinking?: ThinkingLevel;
  /** A JSON Schema every answer must fit, or `json`. */
  readonly format?: JsonSchema | "json";
  /** Laid over the connection's settings, key by key. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Limit of one whole request: milliseconds or a text such as `5m`. */
  readonly timeout?: number | string;
  /** Limits of every run, or one purse that several agents share. */
  readonly budget?: BudgetOptions | Budget;
  readonly toolCall?: {
    /** Time of a call that asks for none; wins over the setting `tools.timeout`. */
    readonly timeout?: number | string;
    /** False: no process is started for a call, so what changes something is refused. */
    readonly fork?: boolean;
  };
  /** Asks the person in front of the host. Absent: nobody is there. */
  readonly question?: QuestionBridge;
  /** Take part in its runs, after those of trusted hook files; asked in this order. */
  readonly interceptors?: readonly Interceptor[];
  /** How many messages that were sent to steer join at a time. Default `all`. */
  readonly steering?: QueueMode;
  /** How many follow-ups join at a time. Default `one`. */
  readonly followUp?: QueueMode;
  /** The machine the tools work on. Calls that change something then need an `isolation` for that machine. */
  readonly execution?: Execution;
  /** Where calls that change something run. Default: the operating system's sandbox. Whoever made it closes it. */
  readonly isolation?: Isolation;
  /** A run that the provider put off (`throttledUntil`) is run again by itself once the wait is over. Default false. */
  readonly resume?: boolean;
  /** Takes the place of the model's IO. */
  readonly stream?: StreamFunction;
  /** For tests. */
  readonly runtime?: Partial<AgentRuntime>;
}

export interface RunOptions {
  /** Begins later: milliseconds or a text such as `5m`. Any other run takes its place; `cancel` and `close` end it. */
  readonly after?: number | string;
  readonly thinking?: ThinkingLevel;
  readonly format?: JsonSchema | "json";
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly timeout?: number | string;
  readonly budget?: BudgetOptions | Budget;
  /** Cancels the run. */
  readonly signal?: AbortSignal;
}

const AGENT_KEYS: ReadonlySet<string> = new Set([
  "env",
  "model",
  "name",
  "description",
  "context",
  "tools",
  "can",
  "folder",
  "systemPrompt",
  "thinking",
  "format",
  "settings",
  "timeout",
  "budget",
  "toolCall",
  "question",
  "interceptors",
  "steering",
  "followUp",
  "execution",
  "isolation",
  "resume",
  "stream",
  "runtime",
]);
const RUN_KEYS: ReadonlySet<string> = new Set([
  "after",
  "thinking",
  "format",
  "settings",
  "timeout",
  "budget",
  "signal",
]);

const MODEL_INSTEAD =
  'A model is one text, "endpoint/model"; an endpoint\'s url stands in the setting providers.<endpoint>.url';
/** Options that other designs have, and what takes their place here. */
const INSTEAD: ReadonlyMap<string, string> = new Map([
  ["url", `${MODEL_INSTEAD}.`],
  ["endpoint", `${MODEL_INSTEAD}.`],
  ["provider", `${MODEL_INSTEAD}, its protocol in providers.<endpoint>.provider.`],
  ["safe", "Write can: { write: false }."],
  ["messages", "Write context: [...]."],
  ["session", "env.agentOpen() makes an agent whose conversation is kept."],
]);

/** Throws kind `usage` for an option that is not one, and says what would be right. */
export function checkAgentOptions(options: object): void {
  checkKeys(options, AGENT_KEYS, "new Agent", INSTEAD);
  const { name, tools } = options as { readonly name?: unknown; readonly tools?: unknown };
  if (name !== undefined) checkAgentName(name, "new Agent");
  if (tools !== undefined && !(Array.isArray(tools) && tools.every((tool) => typeof tool === "string"))) {
    throw new AgentError("usage", 'new Agent: tools must be an array of names, such as ["read"].', {
      argument: "tools",
    });
  }
  checkHookOptions(options);
}

/** Throws kind `usage` for what is no name of an agent. */
export function checkAgentName(name: unknown, what: string): void {
  const problem = typeof name === "string" ? agentNameProblem(name) : "a name is a text";
  if (problem === undefined) return;
  throw new AgentError("usage", `${what}: name: ${JSON.stringify(name)} cannot be used: ${problem}.`, {
    argument: "name",
  });
}

export function checkRunOptions(options: object): void {
  const instead = new Map([
    ["model", "A run uses the agent's model: assign agent.model before it, or make another agent."],
  ]);
  checkKeys(options, RUN_KEYS, "agent.run", instead);
}

/** Throws kind `usage` for an option that is not among the known ones. */
export function checkKeys(
  options: object,
  known: ReadonlySet<string>,
  what: string,
  instead: ReadonlyMap<string, string>,
): void {
  if (!isObject(options))
    throw new AgentError("usage", `${what}: options must be an object.`, { argument: "options" });
  const odd = Object.keys(options).find((key) => !known.has(key));
  if (odd === undefined) return;
  const near = nearestName(odd, known);
  const hint =
    instead.get(odd) ??
    (near === undefined ? `It takes ${[...known].join(", ")}.` : `Did you mean "${near}"?`);
  throw new AgentError("usage", `${what}: there is no option "${odd}". ${hint}`, { argument: odd });
}
