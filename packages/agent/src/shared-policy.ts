import type { Env } from "@ashlar/env";
import { type AgentPolicy, resolvePolicy } from "./policy.js";

/** The policy made last in each Env. */
const latest = new WeakMap<object, { readonly text: string; readonly policy: AgentPolicy }>();

/** The policy for a model; agents of one Env with the same policy share one object, because there may be many of them. */
export function policyFor(env: Env, endpoint: string, model: string): AgentPolicy {
  const policy = resolvePolicy(env.settings, endpoint, model);
  const text = JSON.stringify(policy);
  const known = latest.get(env.safe);
  if (known?.text === text) return known.policy;
  latest.set(env.safe, { text, policy });
  return policy;
}
