import { pathToFileURL } from "node:url";
import type { ToolContext, ToolEnv, ToolFunction, ToolModule } from "@ashlar/context/tool";
import { isObject } from "../loop/json-object.js";
import { LiveOutput } from "./live-output.js";
import type { CallMessage, HostMessage, WorkerMessage } from "./worker-message.js";
import { WorkerServices } from "./worker-services.js";

/** What a call that is out of time ends with when its tool has no last word. */
export const NO_LAST_WORD: unique symbol = Symbol("no last word");

interface CalledTool {
  readonly run: ToolFunction<unknown>;
  readonly onTimeout: ((args: unknown, context: ToolContext) => unknown) | undefined;
}

/** Inside the worker: one call of one function, with the context that its message describes. */
export class WorkerCall {
  /** What the function returned, or after a timeout what its `onTimeout` did. Rejects with what was thrown. */
  readonly value: Promise<unknown>;
  readonly #request: CallMessage;
  readonly #services: WorkerServices;
  readonly #live: LiveOutput;
  readonly #abort = new AbortController();
  readonly #timeout: Promise<typeof TIMED_OUT>;
  #timeUp: () => void = () => {};
  #deadline: number;

  constructor(request: CallMessage, send: (message: WorkerMessage) => void) {
    this.#request = request;
    this.#deadline = request.deadline;
    this.#services = new WorkerServices(send);
    this.#live = new LiveOutput((data) => send({ data }));
    this.#timeout = new Promise((resolve) => {
      this.#timeUp = () => resolve(TIMED_OUT);
    });
    this.value = this.#run();
  }

  receive(message: HostMessage): void {
    if (message.type === "timeout") {
      this.#abort.abort(new DOMException("The time of the call is up.", "TimeoutError"));
      this.#timeUp();
      return;
    }
    if (message.type === "answer") this.#deadline = message.deadline;
    this.#services.receive(message);
  }

  async #run(): Promise<unknown> {
    const { args, file } = this.#request;
    const context = this.#context();
    const tool = calledTool(
      await import(/* @vite-ignore */ pathToFileURL(file).href),
      this.#request,
      context.env,
    );
    const working = (async () => tool.run(args, context))();
    const first = await Promise.race([working, this.#timeout]);
    if (first !== TIMED_OUT) return first;
    // What the function still does is nobody's business now.
    working.catch(() => undefined);
    const lastWord: unknown = await tool.onTimeout?.(args, context);
    return lastWord === undefined ? NO_LAST_WORD : lastWord;
  }

  #context(): ToolContext {
    const { cwd, projectCwd, settings, callId, name, safe } = this.#request;
    const { questionBridge, background, changes, skills } = this.#request;
    const deadline = (): number => this.#deadline;
    return {
      env: {
        cwd: projectCwd,
        settings,
        ...(skills && { skillResource: this.#services.skillResource }),
      },
      signal: this.#abort.signal,
      get deadline() {
        return deadline();
      },
      call: { callId, name },
      agent: { folder: cwd },
      safe,
      question: questionBridge ? this.#services.question : null,
      ...(background && { background: this.#services.background }),
      ...(changes && { changes: this.#services.changes }),
      onData: (chunk) => this.#live.push(String(chunk)),
    };
  }
}

const TIMED_OUT: unique symbol = Symbol("timed out");

function calledTool(module: ToolModule, { name, file }: CallMessage, env: ToolEnv): CalledTool {
  const described: unknown = (module.toolDescription ?? module.describe)?.(env);
  const entry = isObject(described) && Object.hasOwn(described, name) ? described[name] : undefined;
  const { fn, onTimeout } = isObject(entry) ? entry : {};
  // A module's namespace, asked by name.
  const exported = (module as Readonly<Record<string, unknown>>)[name];
  const run = typeof exported === "function" ? exported : fn;
  if (entry === undefined || typeof run !== "function")
    throw new Error(`${file} no longer has the tool ${name}.`);
  // Functions, checked above; the schema stands for the type of their arguments.
  return {
    run: run as CalledTool["run"],
    onTimeout: typeof onTimeout === "function" ? (onTimeout as CalledTool["onTimeout"]) : undefined,
  };
}
