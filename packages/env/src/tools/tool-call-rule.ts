import type { ToolInfo } from "./tool-info.js";

export interface CallRule {
  /** Nothing may be changed. */
  readonly safe: boolean;
  /** A sandbox is there that holds a call to the folder it may write in. */
  readonly sandbox: boolean;
}

/** Why this call is not carried out, or undefined. */
export function callRefusal(info: ToolInfo, { safe, sandbox }: CallRule): string | undefined {
  if (info.provider !== undefined) return `it runs at the endpoint ${info.provider}, during a request only`;
  if (safe && !info.safe) return "it can change something, and only tools that change nothing may run here";
  if (sandbox) return undefined;
  if (info.sandbox) return "it asks to run in a sandbox, and there is none yet";
  return info.safe ? undefined : "it can change something, and there is no sandbox yet to run it in";
}
