import { AgentError } from "../agent-error.js";
import type { AgentCreateOptions } from "../agent-options.js";
import { checkKeys } from "../agent-options.js";
import type { RequestedCapabilities } from "./capabilities.js";

/** How a child is made: what is left out is its parent's. */
export interface ChildOptions
  extends Pick<
    AgentCreateOptions,
    | "model"
    | "description"
    | "context"
    | "tools"
    | "folder"
    | "systemPrompt"
    | "thinking"
    | "format"
    | "settings"
    | "timeout"
    | "stream"
  > {
  /** Unlike that of any open agent of the Env. */
  readonly name: string;
  readonly can?: Pick<RequestedCapabilities, "write" | "network">;
}

const CHILD_KEYS: ReadonlySet<string> = new Set([
  "name",
  "model",
  "description",
  "context",
  "tools",
  "folder",
  "systemPrompt",
  "thinking",
  "format",
  "settings",
  "timeout",
  "stream",
  "can",
]);

const INSTEAD: ReadonlyMap<string, string> = new Map([
  ["budget", "A child spends from its parent's budget."],
  ["question", "Nobody is asked by a child; its parent may ask."],
  ["safe", "Write can: { write: false }."],
  ["subfolder", 'Write folder: "…".'],
  ["env", "A child works in its parent's Env."],
]);

/** Throws kind `usage` for an option that is not one. */
export function checkChildOptions(options: object): void {
  checkKeys(options, CHILD_KEYS, "agent.childCreate", INSTEAD);
  const { name, can } = options as { readonly name?: unknown; readonly can?: { readonly spawn?: unknown } };
  if (typeof name !== "string")
    throw new AgentError("usage", "agent.childCreate: name is missing: a child is called by its name.", {
      argument: "name",
    });
  if (can?.spawn === true)
    throw new AgentError("usage", "agent.childCreate: can.spawn: a child has no workers of its own.", {
      argument: "can.spawn",
    });
}

/** The options of a child's agent: its own over those of its parent that go down. */
export function inheritedOptions(parent: AgentCreateOptions, own: ChildOptions): AgentCreateOptions {
  // These are the parent's alone: its person, its purse, its conversation, the shape of its answers.
  const { question, budget, name, description, context, can, format, folder, ...down } = parent;
  const tools = childTools(parent.tools, own.tools);
  return {
    ...down,
    ...own,
    ...((down.settings ?? own.settings) !== undefined && { settings: { ...down.settings, ...own.settings } }),
    ...(tools !== undefined && { tools }),
  };
}

/** No tool that the parent has not. Throws kind `usage` for one by name. */
function childTools(
  parent: readonly string[] | undefined,
  own: readonly string[] | undefined,
): readonly string[] | undefined {
  if (own === undefined || parent === undefined || parent.includes("*")) return own ?? parent;
  if (own.includes("*")) return parent;
  const more = own.find((tool) => !parent.includes(tool));
  if (more === undefined) return own;
  throw new AgentError(
    "usage",
    `agent.childCreate: tools: the parent has no tool ${JSON.stringify(more)}, so its child has none either.`,
    { argument: "tools" },
  );
}
