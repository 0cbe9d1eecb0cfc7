import type {
  Answer,
  BackgroundCommand,
  BackgroundCommands,
  BackgroundOutput,
  FileChange,
  FileChanges,
  QuestionBridge,
} from "@ashlar/context/tool";
import type { HostMessage, WorkerMessage } from "./worker-message.js";

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (cause: Error) => void;
}

/** Inside the worker: what a tool asks of its host, as messages that are answered. */
export class WorkerServices {
  readonly #send: (message: WorkerMessage) => void;
  readonly #waiting = new Map<number, Waiting>();
  #next = 1;

  constructor(send: (message: WorkerMessage) => void) {
    this.#send = send;
  }

  /** Takes an answer of the host. */
  receive(message: Exclude<HostMessage, { type: "timeout" }>): void {
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (waiting === undefined) return;
    // The host is ours and answers each request with what its method promises.
    if (message.type === "answer") waiting.resolve(message.answers as never);
    else if (message.ok) waiting.resolve(message.value as never);
    else waiting.reject(new Error(message.error));
  }

  readonly question: QuestionBridge = {
    ask: async (questions) => {
      const answers = await this.#ask<readonly Answer[] | null>((id) => ({ type: "ask", id, questions }));
      if (answers === null) throw new Error("Nobody is there to answer.");
      return answers;
    },
  };

  readonly background: BackgroundCommands = {
    start: (command, options) =>
      this.#request<BackgroundCommand & { readonly preview: string }>("background", "start", [
        command,
        options,
      ]),
    list: () => this.#request<readonly BackgroundCommand[]>("background", "list", []),
    output: (id, from) => this.#request<BackgroundOutput>("background", "output", [id, from]),
    stop: (id) => this.#request<BackgroundCommand>("background", "stop", [id]),
  };

  readonly changes: FileChanges = {
    find: async (id) => {
      const found = await this.#request<SentChange | null>("changes", "find", [id]);
      if (found === null) return undefined;
      const { before } = found;
      return { ...found, before: before === null ? null : Buffer.from(before, "base64") };
    },
  };

  readonly skillResource = async (name: string, path: string): Promise<Uint8Array> => {
    const sent = await this.#request<string | null>("skills", "resource", [name, path]);
    if (sent === null) throw new Error("This host keeps no skills.");
    return Buffer.from(sent, "base64");
  };

  #request<T>(
    type: "background" | "changes" | "skills",
    method: string,
    args: readonly unknown[],
  ): Promise<T> {
    return this.#ask<T>((id) => ({ type, id, method, args }));
  }

  #ask<T>(message: (id: number) => WorkerMessage): Promise<T> {
    const id = this.#next;
    this.#next += 1;
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#send(message(id));
    });
  }
}

/** A change as JSON: the bytes in base64. */
export type SentChange = Omit<FileChange, "before"> & { readonly before: string | null };
