import type { ToolEnv } from "@ashlar/context/tool";
import type { ToolInfo } from "./tool-info.js";

/** Characters of what a tool adds to its description. */
const MAX_SUPPLEMENT = 16_384;

/** The description as a model reads it now. One whose addition fails is published without it, and `failed` is told. */
export function publishedDescription(
  { name, description, supplement }: ToolInfo,
  env: ToolEnv,
  failed: (message: string) => void,
): string {
  if (supplement === undefined) return description;
  try {
    const added: unknown = supplement(env);
    if (typeof added !== "string") throw new TypeError(`it gave ${typeof added}, not a text`);
    if (added.length > MAX_SUPPLEMENT)
      throw new TypeError(`it gave ${added.length} characters; at most ${MAX_SUPPLEMENT} fit`);
    return added === "" ? description : `${description}\n${added}`;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    failed(`The supplement of the tool ${name} failed: ${reason}`);
    return description;
  }
}
