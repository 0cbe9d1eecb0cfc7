import type { JsonValue, ToolContext, ToolDescriptions, WorkerRequest } from "@ashlar/context/tool";
import { workerCreateInputSchema } from "../generated/worker-create-input-schema.js";
import { callingAgent } from "../worker-tools/calling-agent.js";
import type { WorkerCreateInput, WorkerInput } from "../worker-tools/worker-input.js";
import { workerLines } from "../worker-tools/worker-lines.js";

const DESCRIPTION = `Make workers: agents of their own below you, for parts of the task that can be done beside each other. They know nothing of this conversation, share your folder and your budget, and cannot ask anybody. What one answers comes to you by itself, as a message headed by its name. Example: {"workers": [{"name": "tests", "safe": true}], "prompt": "Find the tests of the parser and say what they leave out."}`;

/** Makes all of them, or none. */
export async function createWorkers(
  { workers, prompt }: WorkerCreateInput,
  context: ToolContext,
): Promise<JsonValue> {
  const made = await callingAgent(context).create(workers.map(requestOf), { prompt });
  const next =
    prompt === undefined
      ? "They wait for a worker-message."
      : "They are at work. Each answer comes to you as a message; go on with something else, or end your turn.";
  return { workers: workerLines(made), next };
}

/** The schema lets a member be undefined; a request has none of those. */
function requestOf({ name, model, thinking, description, safe, subfolder }: WorkerInput): WorkerRequest {
  return {
    name,
    ...(model !== undefined && { model }),
    ...(thinking !== undefined && { thinking }),
    ...(description !== undefined && { description }),
    ...(safe !== undefined && { safe }),
    ...(subfolder !== undefined && { subfolder }),
  };
}

export function toolDescription(): ToolDescriptions {
  return {
    "worker-create": {
      safe: true,
      trusted: true,
      description: DESCRIPTION,
      inputSchema: workerCreateInputSchema,
      fn: createWorkers,
    },
  };
}
