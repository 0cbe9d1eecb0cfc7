import type { JsonObject } from "@ashlar/context";
import { THINKING_LEVELS, type ThinkingLevel } from "@ashlar/io";
import type { AgentCreateOptions } from "../agent-options.js";
import { agentNameProblem } from "../children/agent-name.js";
import { isObject } from "../loop/json-object.js";

/** What an agent was like when its session began; `SessionInfo.settings`. */
export interface SessionSettings {
  /** Qualified `endpoint/model`. */
  readonly model?: string;
  /** Absent for `agent-N`. */
  readonly name?: string;
  readonly description?: string;
  readonly thinking?: ThinkingLevel;
  readonly tools?: readonly string[];
  readonly can?: { readonly write?: boolean; readonly spawn?: boolean; readonly network?: boolean };
  /** The session of an agent that another one made. */
  readonly child?: true;
}

/** What of an agent's options its session keeps. `model` is resolved. */
export function sessionSettings(
  { name, description, thinking, tools, can }: AgentCreateOptions,
  model: string,
  child: boolean,
): JsonObject {
  return {
    model,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(thinking !== undefined && { thinking }),
    ...(tools !== undefined && { tools: [...tools] }),
    ...(can !== undefined && { can: readCapabilities(can) }),
    ...(child && { child }),
  };
}

/** Reads stored settings; what is not as it should be is left out. */
export function readSessionSettings(stored: unknown): SessionSettings {
  if (!isObject(stored)) return {};
  const { model, name, description, thinking, tools, can, child } = stored;
  const level = THINKING_LEVELS.find((known) => known === thinking);
  return {
    ...(isText(model) && { model }),
    ...(isText(name) && agentNameProblem(name) === undefined && { name }),
    ...(isText(description) && { description }),
    ...(level !== undefined && { thinking: level }),
    ...(Array.isArray(tools) && { tools: tools.filter((tool) => typeof tool === "string") }),
    ...(isObject(can) && { can: readCapabilities(can) }),
    ...(child === true && { child }),
  };
}

/** An option that is given wins; of what an agent may do, each by itself. */
export function withStoredSettings<O extends AgentCreateOptions>(options: O, stored: SessionSettings): O {
  const { name, description, thinking, tools, can } = stored;
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(thinking !== undefined && { thinking }),
    ...(tools !== undefined && { tools }),
    ...options,
    ...((can ?? options.can) !== undefined && { can: { ...can, ...options.can } }),
  };
}

function readCapabilities({
  write,
  spawn,
  network,
}: {
  readonly write?: unknown;
  readonly spawn?: unknown;
  readonly network?: unknown;
}): NonNullable<SessionSettings["can"]> {
  return {
    ...(typeof write === "boolean" && { write }),
    ...(typeof spawn === "boolean" && { spawn }),
    ...(typeof network === "boolean" && { network }),
  };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
