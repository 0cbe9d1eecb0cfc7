import type { Env } from "@ashlar/env";
import { AgentError } from "./agent-error.js";

/** A model by its qualified name. */
export interface AgentModel {
  /** `endpoint/model`. */
  readonly selector: string;
  readonly endpoint: string;
  readonly model: string;
}

/** The model that `selector` names in this Env; without one the setting `model`, or the one used last. Throws as `env.connection` does. */
export function resolveModel(env: Env, selector: string | undefined): AgentModel {
  const { endpoint, model } = env.connection(selector ?? "", { remember: false });
  return { selector: `${endpoint}/${model}`, endpoint, model };
}

/** For a stream that the Env knows nothing of: the name alone counts. Throws kind `usage`. */
export function nameModel(selector: string | undefined): AgentModel {
  const name = selector ?? "stream/model";
  const slash = name.indexOf("/");
  if (slash > 0 && slash < name.length - 1) {
    return { selector: name, endpoint: name.slice(0, slash), model: name.slice(slash + 1) };
  }
  throw new AgentError("usage", `model: ${JSON.stringify(name)} is not written as "endpoint/model".`, {
    argument: "model",
  });
}
