import { isObject } from "../loop/json-object.js";

/** One file that a call was about to write, or one call whose changes are not kept. */
export interface ChangeRecord {
  /** Sorts by time. */
  readonly id: string;
  readonly callId: string;
  readonly tool: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Absolute, real; null for a call whose changes are not kept. */
  readonly path: string | null;
  /** SHA-256 of the prior bytes in hex; null: there was no file. */
  readonly before: string | null;
  /** Permission bits of the file before. */
  readonly mode: number | null;
  /** SHA-256 of what the call left; null: no file; absent: it is not known, because the call did not end. */
  readonly after?: string | null;
  /** The first folder above the file that was not there either. */
  readonly madeFolder?: string;
  /** Why it cannot be undone. */
  readonly lost?: string;
  /** Epoch milliseconds of the undo. */
  readonly undone?: number;
}

/** Reads a stored record; undefined for what is none. */
export function decodeRecord(value: unknown): ChangeRecord | undefined {
  if (!isObject(value)) return undefined;
  const { id, callId, tool, at, path, before, mode, after, madeFolder, lost, undone } = value;
  if (typeof id !== "string" || typeof callId !== "string" || typeof tool !== "string") return undefined;
  if (typeof at !== "number" || !isTextOrNull(path) || !isHashOrNull(before)) return undefined;
  if (mode !== null && typeof mode !== "number") return undefined;
  if (after !== undefined && !isHashOrNull(after)) return undefined;
  return {
    id,
    callId,
    tool,
    at,
    path,
    before,
    mode,
    ...(after !== undefined && { after }),
    ...(typeof madeFolder === "string" && { madeFolder }),
    ...(typeof lost === "string" && { lost }),
    ...(typeof undone === "number" && { undone }),
  };
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === "string";
}

/** A hash names a file of ours, so nothing else may pass for one. */
function isHashOrNull(value: unknown): value is string | null {
  return value === null || (typeof value === "string" && /^[0-9a-f]{64}$/u.test(value));
}
