import type { ToolDescription } from "./contract.js";

/** Returns its argument, typed. */
export function defineTool<Description extends ToolDescription>(description: Description): Description {
  return description;
}
