import { isAshlarError } from "@ashlar/context";
import type { Env } from "@ashlar/env";
import { nameModel, resolveModel } from "../agent-model.js";
import type { AgentCreateOptions } from "../agent-options.js";
import { errorText } from "../loop/tool-value.js";

export interface SessionModel {
  /** Qualified `endpoint/model`. */
  readonly model: string;
  /** Why it is not the one that the session had. */
  readonly notice?: string;
}

/** The model to go on with: the one asked for, else the session's own, else the default when that one is gone. */
export function sessionModel(
  env: Env,
  { model, stream }: Pick<AgentCreateOptions, "model" | "stream">,
  last: string | undefined,
): SessionModel {
  if (stream !== undefined) return { model: nameModel(model ?? last).selector };
  if (model !== undefined || last === undefined) return { model: resolveModel(env, model).selector };
  try {
    return { model: resolveModel(env, last).selector };
  } catch (error) {
    if (!isAshlarError(error) || (error.kind !== "usage" && error.kind !== "refused")) throw error;
    return fallback(env, last, error);
  }
}

/** Throws the first failure when there is no default either. */
function fallback(env: Env, last: string, gone: Error): SessionModel {
  try {
    const { selector } = resolveModel(env, undefined);
    return {
      model: selector,
      notice: `This session was held with ${last}, which cannot be used any more (${errorText(gone)}). It goes on with ${selector}.`,
    };
  } catch {
    // No default is worth less as a message than what is wrong with the session's own model.
    throw gone;
  }
}
