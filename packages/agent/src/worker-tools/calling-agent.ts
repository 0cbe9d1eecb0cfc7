import type { ToolContext, Workers } from "@ashlar/context/tool";
import { AgentError } from "../agent-error.js";

/** The workers of the agent that made the call. Throws kind `usage` where no agent did. */
export function callingAgent({ workers, call }: ToolContext): Workers {
  if (workers !== undefined) return workers;
  throw new AgentError(
    "usage",
    `${call.name} is for an agent to call: it works with the agent's own workers.`,
    {},
  );
}
