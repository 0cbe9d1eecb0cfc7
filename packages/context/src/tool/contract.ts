import type { JsonSchema, JsonValue } from "../json.js";
import type { Block } from "../message.js";

/** The number of this contract; a tool pack declares it as `"ashlar": { "tools": 1 }`. */
export const TOOL_CONTRACT = 1;

/** Any library's schema that follows https://standardschema.dev and can give a JSON Schema of itself. */
export interface StandardSchema {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: string }) => Record<string, unknown>;
    };
  };
}

/** The environment as a tool may see it. */
export interface ToolEnv {
  /** Absolute path of the project folder. */
  readonly cwd: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface Question {
  readonly question: string;
  /** At most 16 characters. */
  readonly header: string;
  readonly details?: string;
  readonly multiSelect?: boolean;
  readonly options: readonly {
    readonly label: string;
    readonly description: string;
    readonly preview?: string;
  }[];
}

export type Answer =
  | { readonly labels: readonly string[] }
  | { readonly text: string }
  | { readonly abandoned: true };

/** Asks the person in front of the host. Absent when nobody is there. */
export interface QuestionBridge {
  readonly ask: (questions: readonly Question[]) => Promise<readonly Answer[]>;
}

export type FileKind = "file" | "directory" | "link" | "fifo" | "socket" | "device";

export interface FileStat {
  readonly kind: FileKind;
  readonly size: number;
  readonly mtimeMs: number;
  readonly mode: number;
  /** Number of hard links. */
  readonly links: number;
  /** Same for two paths of one file. */
  readonly identity: string;
}

export interface OpenFile {
  readonly stat: () => Promise<FileStat>;
  /** Fills `buffer` from `position`; resolves with the bytes read, 0 at the end. */
  readonly read: (buffer: Uint8Array, position: number) => Promise<number>;
  readonly close: () => Promise<void>;
}

/** File access of the machine a tool works on. Paths are absolute; failures carry Node's `code` (`ENOENT`, …). */
export interface Files {
  readonly realpath: (path: string) => Promise<string>;
  /** Follows no link. */
  readonly lstat: (path: string) => Promise<FileStat>;
  readonly list: (path: string) => Promise<readonly { readonly name: string; readonly kind: FileKind }[]>;
  /** Opens for reading without following a link at the last component and without blocking on a FIFO. */
  readonly open: (path: string) => Promise<OpenFile>;
}

/** The machine a tool works on. Tests and remote hosts replace it. */
export interface Execution {
  readonly files: Files;
}

/** What a call receives beside its arguments. */
export interface ToolContext {
  readonly env: ToolEnv;
  /** Fires when the call is cancelled or out of time. */
  readonly signal: AbortSignal;
  /** Epoch milliseconds. */
  readonly deadline: number;
  readonly call: { readonly callId: string; readonly name: string };
  /** The only folder a call may write in; relative paths start here. */
  readonly agent: { readonly folder: string };
  /** True: the call must change nothing. */
  readonly safe: boolean;
  readonly question: QuestionBridge | null;
  /** Absent: the tool's own default. */
  readonly execution?: Execution;
  /** Live output for viewers; not part of the result. */
  readonly onData: (chunk: string) => void;
}

/** `system` texts join the context after the batch; `display` never reaches a model. */
export interface ToolPayload {
  readonly result: string | readonly Block[] | JsonValue;
  readonly system?: string | readonly string[];
  readonly display?: string | readonly Block[];
}

/** A string becomes one text block, an array of blocks is taken as it is, any other JSON value becomes its JSON text. */
export type ToolResult = string | readonly Block[] | JsonValue | ToolPayload;

export type ToolFunction<Args = never> = (
  args: Args,
  context: ToolContext,
) => ToolResult | Promise<ToolResult>;

export interface ToolDescription {
  readonly description: string;
  readonly inputSchema: JsonSchema | StandardSchema;
  /** Claims to change nothing. */
  readonly safe?: boolean;
  /** Asks to run in the host's process; honoured for the host's own roots only. */
  readonly trusted?: boolean;
  /** Always in the sandbox, even when safe. */
  readonly sandbox?: boolean;
  /** Needs a question bridge. */
  readonly interactive?: boolean;
  /** Never published to a model; a person may call it. */
  readonly secret?: boolean;
  /** For a tool whose calls differ: does this one change nothing? */
  readonly readOnly?: (args: never) => boolean;
  /** May an interrupted call be run again? Default `never`. */
  readonly replay?: "never" | "safe";
  /** Gets at most 60 s after the time is up; a defined value becomes the result. */
  readonly onTimeout?: (
    args: never,
    context: ToolContext,
  ) => ToolResult | undefined | Promise<ToolResult | undefined>;
  /** The callable, when the module exports none of this name. For the host's own roots only. */
  readonly fn?: ToolFunction;
}

export type ToolDescriptions = Readonly<Record<string, ToolDescription>>;

/** One setting that a tool documents. Unknown keys are never refused, so this is documentation. */
export type ToolSettings = Readonly<
  Record<string, { readonly default: unknown; readonly description: string }>
>;

/** The exports of a tool module, beside one function per described name. */
export interface ToolModule {
  readonly toolDescription?: (env: ToolEnv) => ToolDescriptions;
  /** Used when `toolDescription` is absent. */
  readonly describe?: (env: ToolEnv) => ToolDescriptions;
  readonly settingsSchema?: () => ToolSettings;
}
