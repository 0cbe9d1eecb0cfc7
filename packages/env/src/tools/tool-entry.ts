import type { ToolContext, ToolSettings } from "@ashlar/context/tool";
import type { ToolInfo } from "./tool-info.js";

/** One tool with the way to run it. */
export interface ToolEntry {
  readonly info: ToolInfo;
  readonly run: (args: unknown, context: ToolContext) => Promise<unknown>;
}

/** What one module, or one set of descriptions of the host, brings. */
export interface ToolSource {
  /** File or owner, for messages. */
  readonly label: string;
  readonly entries: readonly ToolEntry[];
  readonly settings: ToolSettings;
  /** Why tools were left out, one sentence each. */
  readonly problems: readonly string[];
  /** The module as a whole could not be used. */
  readonly failed?: boolean;
}
