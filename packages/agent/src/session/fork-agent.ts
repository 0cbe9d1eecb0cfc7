import type { Context } from "@ashlar/context";
import type { AgentCreateOptions } from "../agent-options.js";
import { Budget } from "../loop/budget.js";
import { sessionOf } from "./session-binding.js";
import type { AgentOpenOptions } from "./session-choice.js";

/** A fork of a child has no parent: it spends from a budget of its own and works in a sandbox of its own. */
function withoutParent(options: AgentCreateOptions): AgentCreateOptions {
  const { budget, isolation, ...own } = options;
  return budget instanceof Budget && budget.depth > 0 ? own : options;
}

/** How the fork of an agent is opened: over a fork of its session, or over a copy of what is kept nowhere. */
export async function forkOptions(
  context: Context,
  { can, ...options }: AgentCreateOptions,
): Promise<AgentOpenOptions> {
  // What an agent may do is live; the fork begins with what is true now.
  const { write, spawn, network } = can ?? {};
  const own = {
    ...withoutParent(options),
    can: { write: write !== false, spawn, network: network !== false },
  };
  const binding = sessionOf(context);
  if (binding === undefined) return { ...own, context: context.items(), session: false };
  const { repository, store } = binding;
  await context.flush();
  return { ...own, session: { repository, fork: store.info.id } };
}
