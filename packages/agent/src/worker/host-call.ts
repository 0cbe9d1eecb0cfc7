import { AgentError } from "../agent-error.js";
import type { HostServices, IsolatedRun, ServiceName } from "../isolation/isolation.js";
import { LiveOutput } from "./live-output.js";
import { endText, type ToolProcess } from "./tool-process.js";
import {
  decodeWorkerMessage,
  type HostMessage,
  type WorkerMessage,
  type WorkerRequest,
} from "./worker-message.js";

/** What the host does for the process while it works. */
export interface ServedCall {
  /** The module, for messages. */
  readonly file: string;
  readonly deadline: () => number;
  readonly onData: (chunk: string) => void;
  readonly services: HostServices;
}

/** Requests of one call that wait for their answers. */
const MAX_WAITING = 64;

/** The host's side of one call: hands the request over, serves what the tool asks, and takes its one result. */
export class HostCall implements IsolatedRun {
  readonly result: Promise<unknown>;
  readonly #process: ToolProcess;
  readonly #served: ServedCall;
  readonly #live: LiveOutput;
  #resolve: (value: unknown) => void = () => {};
  #reject: (cause: Error) => void = () => {};
  #settled = false;
  #waiting = 0;

  /** Throws when the request cannot be sent. */
  constructor(process: ToolProcess, request: WorkerRequest, served: ServedCall) {
    this.#process = process;
    this.#served = served;
    this.#live = new LiveOutput((data) => served.onData(data));
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // Whoever started the call may have left it behind.
    this.result.catch(() => undefined);
    process.listen((message) => this.#receive(decodeWorkerMessage(message)));
    void process.ended.then((end) => this.#fail(endText(end)));
    process.send(request);
  }

  async lastWord(): Promise<unknown> {
    this.#tell({ type: "timeout" });
    return this.result;
  }

  async end(): Promise<void> {
    this.#settled = true;
    await this.#process.end();
  }

  #receive(message: WorkerMessage | undefined): void {
    if (message === undefined || this.#settled) return;
    if ("data" in message) this.#live.push(message.data);
    else if ("ok" in message) this.#finish(message);
    else if (message.type === "ask") void this.#answer(message.id, message.questions);
    else void this.#reply(message);
  }

  #finish(message: Extract<WorkerMessage, { ok: boolean }>): void {
    if (message.ok) {
      this.#settled = true;
      this.#resolve(message.value);
    } else this.#fail(message.error, message.system);
  }

  #fail(text: string, system?: unknown): void {
    if (this.#settled) return;
    this.#settled = true;
    const error = new AgentError("tool", text, { file: this.#served.file });
    this.#reject(system === undefined ? error : Object.assign(error, { system }));
  }

  async #answer(id: number, questions: unknown): Promise<void> {
    // Whatever kept the person from answering, the tool hears that nobody did.
    const answers = await this.#perform("question", "ask", [questions]).catch(() => null);
    this.#tell({ type: "answer", id, answers, deadline: this.#served.deadline() });
  }

  async #reply({ type, id, method, args }: Extract<WorkerMessage, { method: string }>): Promise<void> {
    try {
      const value = await this.#perform(type, method, args);
      this.#tell({ type: "reply", id, ok: true, value });
    } catch (error) {
      this.#tell({
        type: "reply",
        id,
        ok: false,
        error: error instanceof Error ? error.message : String(error),
      });
    }
  }

  async #perform(service: ServiceName, method: string, args: readonly unknown[]): Promise<unknown> {
    const { services } = this.#served;
    if (!services.names.includes(service)) throw new Error(`This host has no ${service}.`);
    if (this.#waiting >= MAX_WAITING) throw new Error(`${MAX_WAITING} requests of this call wait already.`);
    this.#waiting += 1;
    try {
      return await services.perform(service, method, args);
    } finally {
      this.#waiting -= 1;
    }
  }

  /** A process that is over hears nothing more, and how it ended says enough. */
  #tell(message: HostMessage): void {
    if (!this.#process.isOver()) this.#process.send(message);
  }
}
