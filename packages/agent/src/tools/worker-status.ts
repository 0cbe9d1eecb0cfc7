import type { JsonValue, ToolContext, ToolDescriptions } from "@ashlar/context/tool";
import { workerStatusInputSchema } from "../generated/worker-status-input-schema.js";
import { callingAgent } from "../worker-tools/calling-agent.js";
import type { WorkerStatusInput } from "../worker-tools/worker-input.js";
import { workerLines } from "../worker-tools/worker-lines.js";

const DESCRIPTION = `See your workers and whether they are busy, the models with room for more, or the commands that a prompt for a worker may begin with. Example: {"models": true}`;

/** What was asked for; the workers, when nothing was. */
export async function workerStatus(
  { workers, models, commands }: WorkerStatusInput,
  context: ToolContext,
): Promise<JsonValue> {
  const agent = callingAgent(context);
  const isAsked = workers ?? (models !== true && commands !== true);
  return {
    ...(isAsked && { workers: workerLines(agent.list()) }),
    ...(models === true && { models: agent.models().map((model) => ({ ...model })) }),
    ...(commands === true && { commands: [...(await agent.commands())] }),
  };
}

export function toolDescription(): ToolDescriptions {
  return {
    "worker-status": {
      safe: true,
      trusted: true,
      description: DESCRIPTION,
      inputSchema: workerStatusInputSchema,
      fn: workerStatus,
    },
  };
}
