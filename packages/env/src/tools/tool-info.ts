import type { JsonSchema, ToolContext, ToolEnv, ToolResult } from "@ashlar/context/tool";

/** A tool as the catalogue knows it: no callable in it. `schema` is JSON Schema, whatever the author wrote. */
export interface ToolInfo {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly safe: boolean;
  /** Asked for by the tool and granted: only the host's own roots are. */
  readonly trusted: boolean;
  readonly sandbox: boolean;
  readonly secret: boolean;
  readonly interactive: boolean;
  readonly replay: "never" | "safe";
  /** Comes from a root the host registered (tools-std, `Env.open({ tools })`), so it may run in this process. */
  readonly hostRoot: boolean;
  /** Endpoint whose provider brings this tool. */
  readonly provider?: string;
  /** Absolute path of the module. */
  readonly file?: string;
  /** What is added to the description when it is published. Host roots only. */
  readonly supplement?: (env: ToolEnv) => string;
  /** Owning package or root, for messages. */
  readonly owner: string;
  /** Why no call of it is carried out by anybody. */
  readonly refusal?: string;
  /** Does a call with these validated arguments change nothing? Host roots only. */
  readonly readOnly?: (args: unknown) => boolean;
  /** Paths that a call with these validated arguments will write, as the arguments name them. Host roots only. */
  readonly writes?: (args: unknown) => readonly string[];
  /** Host roots only; see `ToolDescription.onTimeout`. */
  readonly onTimeout?: (
    args: unknown,
    context: ToolContext,
  ) => ToolResult | undefined | Promise<ToolResult | undefined>;
}

/** The result of checking arguments against a tool's schema. */
export type ToolValidation =
  | {
      readonly ok: true;
      readonly args: unknown;
      /** What was coerced, one sentence each, such as `limit: "2" read as 2`. */
      readonly notes: readonly string[];
    }
  | {
      readonly ok: false;
      /** One sentence a failure, each naming the field, the wanted type and what came. */
      readonly problems: readonly string[];
    };
