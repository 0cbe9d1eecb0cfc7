import type { QuestionBridge } from "@ashlar/context/tool";
import { AgentError } from "../agent-error.js";
import type { AgentCapabilities } from "./capabilities.js";

const ALLOW = "Allow";
const ALWAYS = "Always";
const NEVER = "Never";

export interface SpawnRequest {
  readonly names: readonly string[];
  readonly prompt: string | undefined;
}

/**
 * May these workers be made? Asks the person where nothing was decided; `Always` and `Never` are kept in `can.spawn`.
 * Throws kind `refused`.
 */
export async function permitSpawn(
  can: AgentCapabilities,
  request: SpawnRequest,
  question: QuestionBridge | undefined,
): Promise<void> {
  if (can.spawn === true) return;
  if (can.spawn === false) throw refused("this agent may have no workers");
  if (question === undefined) throw refused("a person has to allow workers, and nobody is there");
  const answer = await ask(request, question);
  if (answer === ALWAYS) can.spawn = true;
  if (answer === NEVER) can.spawn = false;
  // Whoever decided meanwhile wins.
  const decided: boolean | undefined = can.spawn;
  const allowed = answer === ALLOW || answer === ALWAYS;
  if (decided === false || !allowed) throw refused("the person who was asked did not allow it");
}

async function ask({ names, prompt }: SpawnRequest, question: QuestionBridge): Promise<string | undefined> {
  const [answer] = await question.ask([
    {
      question: `Make ${names.length === 1 ? "a worker" : `${names.length} workers`}: ${names.join(", ")}?`,
      header: "Workers",
      details: prompt ?? "They begin without a task.",
      options: [
        { label: ALLOW, description: "These are made." },
        { label: ALWAYS, description: "These are made, and this agent does not ask again." },
        { label: "Refuse", description: "The model is told that it may not." },
        { label: NEVER, description: "The same, and this agent does not ask again." },
      ],
    },
  ]);
  return answer !== undefined && "labels" in answer ? answer.labels[0] : undefined;
}

function refused(reason: string): AgentError<"refused"> {
  return new AgentError("refused", `No worker was made: ${reason}.`, { reason });
}
