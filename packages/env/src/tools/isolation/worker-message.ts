import type { Answer, Question } from "@ashlar/context/tool";
import { isObject } from "../schema/plain-object.js";

/** The first line a worker gets. */
export type WorkerRequest =
  | {
      readonly type: "describe";
      readonly files: readonly string[];
      readonly cwd: string;
      readonly settings: Readonly<Record<string, unknown>>;
      /** The worker refuses to start when it could write files. */
      readonly readOnly: boolean;
    }
  | {
      readonly type: "call";
      readonly file: string;
      readonly name: string;
      readonly args: unknown;
      readonly cwd: string;
      readonly settings: Readonly<Record<string, unknown>>;
      readonly readOnly: boolean;
      /** The folder that relative paths start in. */
      readonly folder: string;
      readonly callId: string;
      readonly safe: boolean;
      /** Epoch milliseconds. */
      readonly deadline: number;
      readonly questionBridge: boolean;
    };

/** Later lines to a worker. */
export interface WorkerAnswer {
  readonly type: "answer";
  readonly id: number;
  /** null: nobody answered. */
  readonly answers: readonly Answer[] | null;
}

/** Lines from a worker; exactly one `result` ends a run. */
export type WorkerLine =
  | { readonly type: "data"; readonly data: string }
  | { readonly type: "ask"; readonly id: number; readonly questions: readonly Question[] }
  | { readonly type: "result"; readonly ok: true; readonly value: unknown }
  | { readonly type: "result"; readonly ok: false; readonly error: string; readonly system?: unknown };

/** A line of a worker, or undefined when it is none of the known ones. */
export function decodeWorkerLine(text: string): WorkerLine | undefined {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    // Noise on the channel is no message; the caller skips it.
    return undefined;
  }
  if (!isObject(line)) return undefined;
  if (line.type === "data" && typeof line.data === "string") return { type: "data", data: line.data };
  if (line.type === "ask" && typeof line.id === "number" && Array.isArray(line.questions)) {
    return { type: "ask", id: line.id, questions: line.questions };
  }
  if (line.type !== "result") return undefined;
  if (line.ok === true) return { type: "result", ok: true, value: line.value };
  const error = typeof line.error === "string" ? line.error : "the tool failed without a message";
  return { type: "result", ok: false, error, ...(line.system === undefined ? {} : { system: line.system }) };
}
