/** What the kit tests: the folder of a tool package, and calls of its tools. */
export interface ToolPackSubject {
  /** The package's folder, with its package.json; absolute. */
  readonly folder: string;
  /** At least one call of every tool. Each runs alone, in an agent folder of its own. */
  readonly calls: readonly SampleCall[];
  /** What the agent folder holds before each call: text by relative path. */
  readonly files?: Readonly<Record<string, string>>;
  /** `env.settings` of every call. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** What the calls reach. Default `none`: a loopback of their own. */
  readonly network?: "none" | "full";
  /** Reasons by case name. An excused case must fail; one that passes is reported. */
  readonly excuses?: Readonly<Record<string, string>>;
}

export interface SampleCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Files and folders that the call changes, relative to the agent folder. Default: none. */
  readonly changes?: readonly string[];
  /** Words of the error with which the call answers. Default: it answers with a result. */
  readonly throws?: string;
}
