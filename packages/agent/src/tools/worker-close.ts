import type { JsonValue, ToolContext, ToolDescriptions } from "@ashlar/context/tool";
import { workerCloseInputSchema } from "../generated/worker-close-input-schema.js";
import { callingAgent } from "../worker-tools/calling-agent.js";
import type { WorkerCloseInput } from "../worker-tools/worker-input.js";

const DESCRIPTION = `End workers that are not needed any more. One that is at work is asked to hand off first: what it says then comes to you as its answer. Example: {"workers": ["*"]}`;

/** `end` says how each ended. */
export async function closeWorkers({ workers }: WorkerCloseInput, context: ToolContext): Promise<JsonValue> {
  const closed = await callingAgent(context).close(workers);
  return { closed: closed.map(({ name, end }) => ({ name, end })) };
}

export function toolDescription(): ToolDescriptions {
  return {
    "worker-close": {
      safe: true,
      trusted: true,
      description: DESCRIPTION,
      inputSchema: workerCloseInputSchema,
      fn: closeWorkers,
    },
  };
}
