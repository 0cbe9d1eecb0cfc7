import { parseDuration } from "@ashlar/env";
import type { AgentCreateOptions, RunOptions } from "../agent-options.js";
import type { StreamOptions } from "../stream-function.js";

/** What every request of a run asks of its model; what the run says wins over what the agent says. */
export function streamOptions(
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
