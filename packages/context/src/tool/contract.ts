import type { JsonSchema, JsonValue } from "../json.js";
import type { Block } from "../message.js";
import type { ToolContent } from "./tool-content.js";
import type { Workers } from "./workers.js";

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

/** The environment as a tool may see it. Skills and tools are there where the host has them. */
export interface ToolEnv extends Partial<ToolContent> {
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
  /** What a link names, as it is written. */
  readonly readlink: (path: string) => Promise<string>;
  readonly list: (path: string) => Promise<readonly { readonly name: string; readonly kind: FileKind }[]>;
  /** Opens for reading without following a link at the last component and without blocking on a FIFO. */
  readonly open: (path: string) => Promise<OpenFile>;
  /** Puts a whole file in place in one step: other readers see the old bytes or the new ones. Follows no link at the last component. */
  readonly write: (path: string, bytes: Uint8Array, options?: WriteOptions) => Promise<void>;
  /** Makes a folder and those above it; one that is there is fine. */
  readonly createFolder: (path: string) => Promise<void>;
  /** Removes one regular file. Follows no link at the last component: fails with `ELOOP` there, with `EISDIR` on a folder. */
  readonly remove: (path: string) => Promise<void>;
}

export interface WriteOptions {
  /** Permission bits of a new file; an existing file keeps its own. */
  readonly mode?: number;
  /** Fail with `EEXIST` when something is there. */
  readonly exclusive?: boolean;
}

export interface ShellOptions {
  /** Absolute path of the folder it runs in. */
  readonly cwd: string;
  /** Added to the environment the host built. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Output as it comes, in order of arrival within each stream. */
  readonly onOutput: (stream: "stdout" | "stderr", bytes: Uint8Array) => void;
}

/** How a command ended: one of the two is null. */
export interface ShellExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Something was still running, or holding the output, when the shell had ended. Absent: not known. */
  readonly outputOpen?: boolean;
}

export interface Shell {
  /** Runs one command line with stdin closed; resolves when the shell itself has ended, whoever still holds its pipes. */
  readonly run: (command: string, options: ShellOptions) => Promise<ShellExit>;
}

/** The machine a tool works on. Tests and remote hosts replace it. */
export interface Execution {
  readonly files: Files;
  readonly shell: Shell;
}

/** A command that goes on after its call, in a sandbox of its own, until it ends or its agent does. */
export interface BackgroundCommand {
  readonly id: string;
  readonly command: string;
  readonly running: boolean;
  readonly exitCode: number | null;
  readonly signal: string | null;
}

export interface BackgroundOutput {
  readonly text: string;
  /** Bytes before `text` that are no longer kept. */
  readonly dropped: number;
  /** Ask for the output from here next time. */
  readonly next: number;
}

/** Commands that the agent owns. Absent where there is no sandbox. */
export interface BackgroundCommands {
  /** Resolves after a moment with what it printed first. Throws when too many run already. */
  readonly start: (
    command: string,
    options: { readonly environment?: Readonly<Record<string, string>> },
  ) => Promise<BackgroundCommand & { readonly preview: string }>;
  readonly list: () => Promise<readonly BackgroundCommand[]>;
  /** `from` is a byte offset. */
  readonly output: (id: string, from: number) => Promise<BackgroundOutput>;
  readonly stop: (id: string) => Promise<BackgroundCommand>;
}

/** A file as it was before a change, and how the change left it. */
export interface FileChange {
  readonly id: string;
  /** Absolute. */
  readonly path: string;
  /** Null: there was no file. */
  readonly before: Uint8Array | null;
  /** SHA-256 of what the change left, in hex; null: no file. */
  readonly after: string | null;
}

/** The changes that tools of this project made, kept by the host. */
export interface FileChanges {
  /** Undefined when it is not kept (any more). */
  readonly find: (id: string) => Promise<FileChange | undefined>;
}

/**
 * What tools keep in the conversation itself, so that it follows edits, forks and compactions, and no model sees it. A
 * type is `tool:` and the tool's name, alone or with `:` and more behind it; any other rejects.
 */
export interface ToolRecords {
  /** The value of the newest record of this type; undefined when there is none. */
  readonly latest: (type: string) => Promise<JsonValue | undefined>;
  /** Adds a record `{ type, value }`. What came before stays, and no longer counts. */
  readonly append: (type: string, value: JsonValue) => Promise<void>;
  /** Does the conversation still have this call, and no failure for its result? Not so once it was summarised or taken back. */
  readonly holds: (callId: string) => Promise<boolean>;
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
  /**
   * The agent may change things, so that the host's own trusted tools may do for it what no sandboxed call can, such as
   * writing task files. Absent for all others, and then nothing may be changed beside the sandbox.
   */
  readonly canWrite?: boolean;
  readonly question: QuestionBridge | null;
  /** Absent: the tool's own default. */
  readonly execution?: Execution;
  readonly background?: BackgroundCommands;
  /** Absent: nothing is kept, so nothing can be undone. */
  readonly changes?: FileChanges;
  /** Absent: there is no conversation, or the call runs where it cannot be reached, as in a sandbox. */
  readonly records?: ToolRecords;
  /** For tools of the host's own that run in its process. */
  readonly workers?: Workers;
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
  /** What is added to the description each time it is published, such as what there is to choose from now. At most 16,384 characters; for the host's own roots only. */
  readonly supplement?: (env: ToolEnv) => string;
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
  /** Paths the call will write, as the arguments name them; the host keeps their bytes first, so that it can be undone. */
  readonly writes?: (args: never) => readonly string[];
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
