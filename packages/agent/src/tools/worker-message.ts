import type { JsonValue, ToolContext, ToolDescriptions } from "@ashlar/context/tool";
import { workerMessageInputSchema } from "../generated/worker-message-input-schema.js";
import { callingAgent } from "../worker-tools/calling-agent.js";
import type { WorkerMessageInput } from "../worker-tools/worker-input.js";
import { workerLines } from "../worker-tools/worker-lines.js";

const DESCRIPTION = `Send one prompt to workers. An idle one begins to work on it; a busy one reads it before its next step. Example: {"workers": ["/^test-/"], "prompt": "Leave the snapshots alone."}`;

/** To all that are meant, or to none. */
export async function messageWorkers(
  { workers, prompt }: WorkerMessageInput,
  context: ToolContext,
): Promise<JsonValue> {
  return { sent: workerLines(await callingAgent(context).message(workers, prompt)) };
}

export function toolDescription(): ToolDescriptions {
  return {
    "worker-message": {
      safe: true,
      trusted: true,
      description: DESCRIPTION,
      inputSchema: workerMessageInputSchema,
      fn: messageWorkers,
    },
  };
}
