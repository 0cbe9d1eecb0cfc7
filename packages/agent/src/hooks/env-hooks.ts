import { Env, type EventKey } from "@ashlar/env";
import { AgentError } from "../agent-error.js";
import { errorText } from "../loop/tool-value.js";
import { doubtfulModule, type HookModule, loadHookModule } from "./hook-module.js";
import type { HookAgent, Interceptor } from "./interceptor.js";
import { type Observer, type Observers, readObservers } from "./observers.js";

/** A hook file that is not as it should be. */
export interface HookProblem {
  readonly file: string;
  readonly message: string;
}

/** An agent whose events are observed. */
export interface ObservedAgent {
  readonly agent: HookAgent & {
    readonly onEvent: <P>(event: EventKey<P>, listener: (payload: P) => void) => number;
    readonly offEvent: (handle: number) => boolean;
  };
  /** Reaches its LOG. */
  readonly notice: (message: string) => void;
}

interface Source {
  /** In reports. */
  readonly label: string;
  readonly observers: readonly Observer[];
}

/** The hook files of one Env and the observers of all its agents. Nothing is read before the first run. */
export class EnvHooks {
  readonly #env: Env;
  readonly #agents = new Map<ObservedAgent, number[]>();
  readonly #code = new Set<Source>();
  readonly #reported = new Set<string>();
  #modules: readonly HookModule[] = [];
  #sources: readonly Source[] = [];
  #envHandles: number[] = [];
  #revision = 0;
  #loaded = false;
  #loading: Promise<readonly HookProblem[]> | undefined;

  constructor(env: Env) {
    this.#env = env;
  }

  /** The files were read: `interceptors` has them. */
  get loaded(): boolean {
    return this.#loaded;
  }

  /** Of the trusted roots, in order. A file of which nobody knows what it would forbid forbids every change. */
  get interceptors(): readonly Interceptor[] {
    return this.#modules.flatMap(({ interceptor, doubtful, file }) => {
      if (doubtful) return [distrust(file)];
      return interceptor === undefined ? [] : [interceptor];
    });
  }

  /** Reads the files once; gives what is wrong to the first who asks, and nothing to the others. Never rejects. */
  async load(): Promise<readonly HookProblem[]> {
    if (this.#loaded) return [];
    if (this.#loading !== undefined) {
      await this.#loading;
      return [];
    }
    return this.refresh();
  }

  /** Reads the files again. One that fails now keeps its earlier version. Never rejects. */
  async refresh(): Promise<readonly HookProblem[]> {
    const before = this.#loading ?? Promise.resolve();
    const loading = before.then(() => this.#read());
    this.#loading = loading;
    try {
      return await loading;
    } finally {
      if (this.#loading === loading) this.#loading = undefined;
    }
  }

  /** Observers made in code, for every agent there is and will be. Returns the function that ends it. */
  observe(observers: Observers): () => void {
    const source: Source = { label: "env.observe", observers: readOwn(observers) };
    this.#code.add(source);
    this.#listen();
    return () => {
      if (this.#code.delete(source)) this.#listen();
    };
  }

  attach(observed: ObservedAgent): void {
    this.#agents.set(observed, this.#subscribe(observed));
  }

  detach(observed: ObservedAgent): void {
    for (const handle of this.#agents.get(observed) ?? []) observed.agent.offEvent(handle);
    this.#agents.delete(observed);
  }

  async #read(): Promise<readonly HookProblem[]> {
    this.#revision += 1;
    const modules = await this.#readModules();
    this.#modules = modules.map((module) => this.#earlier(module) ?? module);
    const first = !this.#loaded;
    this.#loaded = true;
    this.#reported.clear();
    this.#listen();
    if (first) this.#tellOfAgents();
    return modules.flatMap(({ file, problems }) =>
      problems.map((problem) => ({ file, message: `Hook file ${file}: ${problem}` })),
    );
  }

  async #readModules(): Promise<readonly HookModule[]> {
    const [env, revision] = [this.#env, this.#revision];
    try {
      const files = await env.hookFiles();
      return await Promise.all(files.map((file) => loadHookModule(file, { env, revision })));
    } catch (error) {
      return [...this.#modules, doubtfulModule(env.cwd, `no hook file was found: ${errorText(error)}`)];
    }
  }

  #earlier({ file, problems }: HookModule): HookModule | undefined {
    if (problems.length === 0) return undefined;
    return this.#modules.find((module) => module.file === file && !module.doubtful);
  }

  /** Lets go of every listener and sets those that count now. */
  #listen(): void {
    const files = this.#modules.map(({ file, observers }) => ({ label: file, observers }));
    this.#sources = [...files, ...this.#code].filter(({ observers }) => observers.length > 0);
    for (const handle of this.#envHandles) this.#env.offEvent(handle);
    this.#envHandles = [...this.#each("env")].map(([source, observer]) =>
      // Keys of events differ only in what the compiler knows of their payload.
      this.#env.onEvent(observer.event as EventKey<unknown>, (payload) => {
        this.#deliver(source, observer, payload);
      }),
    );
    for (const observed of [...this.#agents.keys()]) {
      this.detach(observed);
      this.attach(observed);
    }
  }

  #subscribe(observed: ObservedAgent): number[] {
    return [...this.#each("agent")].map(([source, observer]) =>
      // As above.
      observed.agent.onEvent(observer.event as EventKey<unknown>, (payload) => {
        this.#deliver(source, observer, payload, observed);
      }),
    );
  }

  *#each(scope: Observer["scope"]): Generator<readonly [Source, Observer]> {
    for (const source of this.#sources)
      for (const observer of source.observers) if (observer.scope === scope) yield [source, observer];
  }

  /** Agents were there before the files were read. */
  #tellOfAgents(): void {
    for (const [source, observer] of this.#each("env")) {
      if (observer.eventName !== "AGENT_ADDED" || this.#code.has(source)) continue;
      for (const { agent } of this.#agents.keys()) this.#deliver(source, observer, { agent });
    }
  }

  #deliver(source: Source, observer: Observer, payload: unknown, observed = this.#about(payload)): void {
    const failed = (error: unknown): void => this.#report(source, observer, errorText(error), observed);
    queueMicrotask(() => {
      try {
        const returned = observer.observe(payload, observed?.agent);
        if (returned instanceof Promise) returned.catch(failed);
      } catch (error) {
        failed(error);
      }
    });
  }

  /** The agent that an event of the Env is about. */
  #about(payload: unknown): ObservedAgent | undefined {
    if (typeof payload !== "object" || payload === null || !("agent" in payload)) return undefined;
    for (const observed of this.#agents.keys()) if (observed.agent === payload.agent) return observed;
    return undefined;
  }

  /** Once for each source and event. */
  #report({ label }: Source, { eventName }: Observer, text: string, about: ObservedAgent | undefined): void {
    const key = JSON.stringify([label, eventName]);
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    const message = `The observer of ${eventName} in ${label} failed: ${text}`;
    for (const { notice } of about === undefined ? this.#agents.keys() : [about]) notice(message);
  }
}

function readOwn(observers: Observers): readonly Observer[] {
  try {
    return readObservers(observers);
  } catch (cause) {
    throw new AgentError("usage", `env.observe: ${errorText(cause)}`, { argument: "observers" }, { cause });
  }
}

function distrust(file: string): Interceptor {
  const block = `the hook file ${file} could not be loaded, so what it forbids is not known`;
  return { name: file, beforeTool: ({ readOnly }) => (readOnly ? undefined : { block }) };
}

const known = new WeakMap<object, EnvHooks>();

/** The hooks of an Env, which its safe view shares. */
export function hooksOf(env: Env): EnvHooks {
  let hooks = known.get(env.safe);
  if (hooks === undefined) {
    // Files get the whole Env, whoever asks first.
    hooks = new EnvHooks(Env.envs.get(env.cwd) ?? env);
    known.set(env.safe, hooks);
  }
  return hooks;
}
