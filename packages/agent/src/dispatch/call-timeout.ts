import { parseDuration, type ToolInfo } from "@ashlar/env";
import { isObject } from "../loop/json-object.js";

export interface CallTimeout {
  readonly timeoutMs: number;
  /** The arguments without `timeout`, which is the agent's business. */
  readonly args: unknown;
}

export interface TimeoutPolicy {
  /** Milliseconds for a call that asks for none. */
  readonly timeout: number;
  /** Milliseconds no call passes. */
  readonly timeoutLimit: number;
}

/** Takes `timeout` out of the arguments when the schema declares it. Throws kind `settings` for what is no duration. */
export function resolveCallTimeout(tool: ToolInfo, args: unknown, policy: TimeoutPolicy): CallTimeout {
  if (!declaresTimeout(tool) || !isObject(args) || args.timeout === undefined) {
    return { timeoutMs: Math.min(policy.timeout, policy.timeoutLimit), args };
  }
  const { timeout, ...rest } = args;
  const asked = parseDuration(timeout, "timeout");
  return { timeoutMs: Math.min(asked, policy.timeoutLimit), args: rest };
}

function declaresTimeout({ schema }: ToolInfo): boolean {
  return isObject(schema.properties) && Object.hasOwn(schema.properties, "timeout");
}
