import type { ToolContext } from "@ashlar/context/tool";

/**
 * Where the tool modules of packages are described and their safe calls run: never in this process, and where nothing
 * can be written. A plugin with a sandbox replaces the built-in one; authors notice nothing.
 */
export interface ToolIsolation {
  /** Imports the modules and gives what they describe. Rejects when the process as a whole fails or takes too long. */
  readonly describe: (request: DescribeRequest) => Promise<readonly DescribedModule[]>;
  /** Runs one function of one module. Rejects with what the tool failed with. */
  readonly call: (request: IsolatedCall) => Promise<unknown>;
}

export interface DescribeRequest {
  /** Absolute paths. */
  readonly files: readonly string[];
  readonly cwd: string;
  /** Credentials already taken out. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

/** What one module gave; a stranger's data, to be checked like any other. */
export interface DescribedModule {
  readonly file: string;
  readonly tools: readonly unknown[];
  readonly settings: unknown;
  readonly problems: readonly string[];
  /** The import failed; the rest is empty. */
  readonly failure?: string;
}

export interface IsolatedCall {
  readonly file: string;
  readonly name: string;
  readonly args: unknown;
  readonly context: ToolContext;
  /** Credentials already taken out. */
  readonly settings: Readonly<Record<string, unknown>>;
}
