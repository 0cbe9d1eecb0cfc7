import type { JsonSchema } from "@ashlar/context";
import type { ToolDescriptor } from "@ashlar/context/provider";
import type { ThinkingLevel } from "../thinking.js";
import type { Timeouts } from "../timeouts.js";

/** What one request asks for beside the context. */
export interface RequestOptions {
  readonly tools?: readonly ToolDescriptor[];
  /** Ends the request as cancelled. */
  readonly signal?: AbortSignal;
  /** Default: the setting `think`, else the model's own. */
  readonly thinking?: ThinkingLevel;
  /** A JSON Schema the answer must fit, or `json`. */
  readonly format?: JsonSchema | "json";
  /** Laid over the connection's settings, key by key. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly timeouts?: Timeouts;
}
