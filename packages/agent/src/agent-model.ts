import type { Env } from "@ashlar/env";
import { AgentError } from "./agent-error.js";

/** A model by its qualified name. */
export interface AgentModel {
  /** `endpoint/model`. */
  readonly selector: string;
  readonly endpoint: string;
  readonly model: string;
}

/** The model that `selector` names in this Env, else the setting `model`. Throws kind `usage` with what would be right. */
export function resolveModel(env: Env, selector: string | undefined): AgentModel {
  const wanted = selector ?? env.settings.model;
  if (typeof wanted !== "string" || wanted.trim() === "") {
    throw new AgentError(
      "usage",
      'No model was chosen. Pass model: "endpoint/model", such as "ollama/qwen3", or set "model" in the settings.',
      { argument: "model" },
    );
  }
  const { endpoint, model } = env.connection(wanted, { remember: false });
  return { selector: `${endpoint}/${model}`, endpoint, model };
}

/** For a stream that is not of this Env: the name alone counts. */
export function nameModel(selector: string | undefined): AgentModel {
  const text = selector ?? "stream/model";
  const slash = text.indexOf("/");
  if (slash < 1 || slash === text.length - 1) {
    throw new AgentError("usage", `model: ${JSON.stringify(text)} is not written as "endpoint/model".`, {
      argument: "model",
    });
  }
  return { selector: text, endpoint: text.slice(0, slash), model: text.slice(slash + 1) };
}
