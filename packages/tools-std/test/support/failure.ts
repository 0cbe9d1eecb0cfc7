import { isToolError } from "../../src/tool-error.js";

/** `kind: message` of the failure, so that a test names both. */
export async function failureOf(promise: Promise<unknown>): Promise<string> {
  try {
    return `no failure: ${JSON.stringify(await promise)}`;
  } catch (cause) {
    return isToolError(cause) ? `${cause.kind}: ${cause.message}` : `not a ToolError: ${String(cause)}`;
  }
}
