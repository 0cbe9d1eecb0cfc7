import type { ToolInfo } from "./tool-info.js";

export interface CallRule {
  /** Nothing may be changed. */
  readonly safe: boolean;
  /** This call changes nothing, although calls of its tool may differ. */
  readonly readOnly: boolean;
}

/** Does a call with these validated arguments change nothing, as far as the tool says? */
export function isReadOnlyCall({ safe, readOnly }: ToolInfo, args: unknown): boolean {
  return safe && (readOnly?.(args) ?? true);
}

/** Why no call of this tool is carried out by anybody, or undefined. */
export function standingRefusal({ safe, sandbox, file, provider }: ToolInfo): string | undefined {
  if (provider !== undefined || file !== undefined || (safe && !sandbox)) return undefined;
  return "it is a function of the host's own program, and only a tool that is a module file can run in a sandbox";
}

/** Why Env does not carry out this call, or undefined. Whatever needs a sandbox is for an agent to run. */
export function callRefusal(info: ToolInfo, { safe, readOnly }: CallRule): string | undefined {
  if (info.provider !== undefined) return `it runs at the endpoint ${info.provider}, during a request only`;
  if (safe && !info.safe) return "it can change something, and only tools that change nothing may run here";
  if (!readOnly) return "it can change something, and only an agent runs such a call, in its sandbox";
  if (info.sandbox) return "it asks to run in a sandbox, and only an agent has one";
  return undefined;
}
