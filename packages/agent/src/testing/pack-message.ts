import { isObject } from "../loop/json-object.js";

/** The one thing that a process of the kit does. */
export type PackRequest = ImportRequest | CallRequest;

export interface ImportRequest {
  readonly task: "import";
  /** Absolute path of the module. */
  readonly file: string;
  readonly folder: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly samples: readonly { readonly tool: string; readonly args: unknown }[];
  /** The import is given up after this. */
  readonly limitMs: number;
}

export interface CallRequest {
  readonly task: "call";
  readonly file: string;
  readonly tool: string;
  readonly args: unknown;
  readonly folder: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly safe: boolean;
  /** The signal fires so long after the call began; null: never. */
  readonly abortAfterMs: number | null;
  /** A call that has not settled so long after the abort, or after its start, is left. */
  readonly limitMs: number;
}

/** A function by which something was changed, or started, or was to be. */
export interface Attempt {
  /** Such as `writeFileSync`. */
  readonly by: string;
  /** Absolute path, or the program. */
  readonly target: string;
}

/** What one module is, seen from inside. */
export interface ImportReply {
  readonly importMs: number;
  /** The import or `toolDescription` failed, or did not end in time. */
  readonly failure?: string;
  readonly attempts: readonly Attempt[];
  readonly tools: readonly DescribedEntry[];
}

/** One entry of `toolDescription`, without its functions. */
export interface DescribedEntry {
  readonly name: string;
  /** Its fields that are data. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Names of its fields that are functions. */
  readonly functions: readonly string[];
  /** The module exports a function of this name, or the entry has one as `fn`. */
  readonly callable: boolean;
  /** What `readOnly` and `writes` say of each sample call, by its place; a text says what went wrong. */
  readonly claims: readonly SampleClaim[];
}

export interface SampleClaim {
  readonly sample: number;
  readonly readOnly?: boolean | string;
  readonly writes?: readonly string[] | string;
}

/** How one call ended. */
export interface CallReply {
  readonly outcome: "returned" | "threw" | "pending";
  /** What is wrong with the shape of the result. */
  readonly problem?: string;
  /** Of the result's text and of its attachments. */
  readonly characters: number;
  readonly attachmentBytes: number;
  readonly error?: ThrownError;
  readonly attempts: readonly Attempt[];
}

export interface ThrownError {
  /** Such as `TypeError`; undefined when it is no Error. */
  readonly name?: string;
  readonly message: string;
}

/** The code under test lives in the process that replies, so only the outline is taken on trust. */
export function isImportReply(value: unknown): value is ImportReply {
  return isReply(value) && typeof value.importMs === "number" && isListOfObjects(value.tools);
}

export function isCallReply(value: unknown): value is CallReply {
  return isReply(value) && typeof value.outcome === "string" && typeof value.characters === "number";
}

function isReply(value: unknown): value is Record<string, unknown> {
  return isObject(value) && isListOfObjects(value.attempts);
}

function isListOfObjects(value: unknown): boolean {
  return Array.isArray(value) && value.every(isObject);
}
