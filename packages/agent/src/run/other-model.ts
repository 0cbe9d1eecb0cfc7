import type { Env } from "@ashlar/env";
import { nameModel, resolveModel } from "../agent-model.js";
import { openModelSession } from "../model-session.js";
import { policyFor } from "../shared-policy.js";
import type { StreamFunction } from "../stream-function.js";
import { type Toolset, toolDescriptors, toolInfos } from "../toolset.js";
import type { OtherModel } from "./create-run-host.js";

export interface OtherModelParts {
  readonly env: Env;
  /** Takes the place of every model's IO. */
  readonly stream: StreamFunction | undefined;
  /** Names of the tools that the agent may use. */
  readonly names: Toolset["names"];
}

/** Another model than the agent's own, with the tools and the policy that count there. Throws as `env.connection` does. */
export function otherModel({ env, stream, names }: OtherModelParts, wanted: string): OtherModel {
  const own = stream === undefined;
  const { selector, endpoint, model } = own ? resolveModel(env, wanted) : nameModel(wanted);
  const { link, meter, window } = openModelSession(env, selector, stream);
  const toolset: Toolset = { env, names, selector: own ? selector : undefined };
  return {
    selector,
    policy: policyFor(env, endpoint, model),
    link,
    meter,
    window,
    descriptors: () => toolDescriptors(toolset),
    tools: () => toolInfos(toolset),
  };
}
