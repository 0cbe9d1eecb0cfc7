import { isObject } from "../loop/json-object.js";

/** The first message to a worker. Names as tools' authors know them from other hosts; no credential in any of them. */
export type WorkerRequest = CallMessage | DescribeMessage;

export interface CallMessage {
  readonly type: "call";
  /** Absolute path of the one module to import. */
  readonly file: string;
  readonly name: string;
  readonly args: unknown;
  readonly callId: string;
  /** The agent's folder. */
  readonly cwd: string;
  readonly projectCwd: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Epoch milliseconds. */
  readonly deadline: number;
  readonly safe: boolean;
  readonly questionBridge: boolean;
  readonly background: boolean;
  readonly changes: boolean;
  readonly skills: boolean;
}

export interface DescribeMessage {
  readonly type: "describe";
  readonly files: readonly string[];
  readonly projectCwd: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Later messages to a worker. */
export type HostMessage =
  /** The answer to an `ask`; null: nobody answered. */
  | {
      readonly type: "answer";
      readonly id: number;
      readonly answers: unknown;
      readonly deadline: number;
    }
  | { readonly type: "reply"; readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly type: "reply"; readonly id: number; readonly ok: false; readonly error: string }
  /** The time of the call is up. */
  | { readonly type: "timeout" };

/** What a worker says. The result is the last of it. */
export type WorkerMessage =
  | { readonly data: string }
  | { readonly ok: true; readonly value?: unknown }
  | { readonly ok: false; readonly error: string; readonly system?: unknown }
  | { readonly type: "ask"; readonly id: number; readonly questions: unknown }
  | {
      readonly type: "background" | "changes" | "skills";
      readonly id: number;
      readonly method: string;
      readonly args: readonly unknown[];
    };

/** What a worker sent, or undefined for anything else: a stranger's code may write to the channel itself. */
export function decodeWorkerMessage(message: unknown): WorkerMessage | undefined {
  if (!isObject(message)) return undefined;
  const { type, id, data } = message;
  if (typeof data === "string") return { data };
  if (message.ok === true) return { ok: true, value: message.value };
  if (message.ok === false) {
    const error = typeof message.error === "string" ? message.error : "the tool failed without a message";
    return { ok: false, error, system: message.system };
  }
  if (typeof id !== "number") return undefined;
  if (type === "ask") return { type, id, questions: message.questions };
  if (type !== "background" && type !== "changes" && type !== "skills") return undefined;
  if (typeof message.method !== "string" || !Array.isArray(message.args)) return undefined;
  return { type, id, method: message.method, args: message.args };
}
