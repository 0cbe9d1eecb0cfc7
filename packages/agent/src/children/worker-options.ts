import type { WorkerRequest } from "@ashlar/context/tool";
import { THINKING_LEVELS } from "@ashlar/io";
import { AgentError } from "../agent-error.js";
import type { ChildOptions } from "./child-options.js";

/** How the worker that a model asked for is made. Throws kind `usage`. */
export function workerOptions(
  { name, model, thinking, description, safe, subfolder }: WorkerRequest,
  systemPrompt: string,
): ChildOptions {
  const level = THINKING_LEVELS.find((known) => known === thinking);
  if (thinking !== undefined && level === undefined) {
    throw new AgentError(
      "usage",
      `thinking: ${JSON.stringify(thinking)} is no level; there are ${THINKING_LEVELS.join(", ")}.`,
      { argument: "thinking" },
    );
  }
  return {
    name,
    systemPrompt,
    ...(model !== undefined && { model }),
    ...(level !== undefined && { thinking: level }),
    ...(description !== undefined && { description }),
    ...(safe === true && { can: { write: false } }),
    ...(subfolder !== undefined && { folder: subfolder }),
  };
}

/** What a worker is told of its place, after what its parent was told at the start. */
export function workerPrompt(texts: readonly string[], { name, parent }: WorkerPlace): string {
  const notice = `You are the worker ${name} of the agent ${parent}. Your tasks come from it, not from a person, and nobody can be asked. When a task is done, answer without a tool call: your last answer goes to ${parent}, and nothing else that you said.`;
  return [...texts, notice].join("\n\n");
}

interface WorkerPlace {
  readonly name: string;
  /** The parent's name. */
  readonly parent: string;
}
