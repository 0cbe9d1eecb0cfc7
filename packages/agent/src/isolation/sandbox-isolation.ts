import { createHash } from "node:crypto";
import { toolRevision } from "@ashlar/context/tool";
import type { Probe, SandboxPolicy } from "@ashlar/sandbox";
import { AgentError } from "../agent-error.js";
import { callMessage } from "../worker/call-message.js";
import { HostCall, type ServedCall } from "../worker/host-call.js";
import type { ToolProcess } from "../worker/tool-process.js";
import type { WorkerRequest } from "../worker/worker-message.js";
import type {
  CommandRequest,
  HostServices,
  IsolatedCommand,
  IsolatedRequest,
  IsolatedRun,
  Isolation,
  IsolationProbe,
} from "./isolation.js";
import type { IsolationPolicy } from "./isolation-policy.js";
import { placeStamps } from "./place-stamps.js";
import { sandboxPolicy, startToolProcess } from "./sandbox-process.js";
import { Standby } from "./standby.js";

/**
 * Milliseconds after a call until the process of the next one is started: a program that makes one call and ends starts
 * none in vain, and while a call runs nothing takes processor time from it.
 */
const STANDBY_DELAY_MS = 20;
const SHELL = ["bash", "--noprofile", "--norc", "-c"] as const;

/** Modules to describe. */
export interface DescribeCall {
  /** Absolute paths. */
  readonly files: readonly string[];
  readonly projectFolder: string;
  /** Credentials already taken out. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly policy: IsolationPolicy;
  readonly signal: AbortSignal;
}

/** The operating system's sandbox. Nothing of it is loaded before somebody asks. */
export class SandboxIsolation implements Isolation {
  readonly #environment: Readonly<Record<string, string | undefined>>;
  readonly #standby: Standby | undefined;
  readonly #running = new Set<{ readonly end: () => Promise<unknown> }>();
  #probe: Promise<Probe> | undefined;

  /** `environment` is read for `PATH` and `ASHLAR_OS_SANDBOX`. With `standby`, the process of the next call waits ready. */
  constructor(
    environment: Readonly<Record<string, string | undefined>>,
    { standby }: { readonly standby: boolean },
  ) {
    this.#environment = environment;
    this.#standby = standby ? new Standby() : undefined;
  }

  async probe(): Promise<IsolationProbe> {
    return this.#probed();
  }

  async call(request: IsolatedRequest): Promise<IsolatedRun> {
    const probe = await this.#probed();
    const policy = sandboxPolicy(request.policy, [request.projectFolder], [request.file]);
    const start = (): Promise<ToolProcess> => startToolProcess(policy, probe);
    const process = (await this.#standby?.take(standbyKey(policy))) ?? (await start().catch(refuse));
    const call = await this.#serve(process, callMessage(request), request);
    // The next mutation of this kind finds its process ready.
    void process.ended.then(() => this.#prepareSoon(policy, start));
    return call;
  }

  /** Imports modules where nothing can be written, and gives what they describe. */
  async describe({ policy, signal, ...request }: DescribeCall): Promise<unknown> {
    const { files, projectFolder } = request;
    const visible = sandboxPolicy(policy, [projectFolder], files);
    const process = await startToolProcess(visible, await this.#probed()).catch(refuse);
    const message = {
      type: "describe",
      files,
      projectCwd: projectFolder,
      settings: request.settings,
    } as const;
    const call = await this.#serve(process, message, {
      file: files[0] ?? projectFolder,
      deadline: () => Number.POSITIVE_INFINITY,
      onData: () => undefined,
      services: NO_SERVICES,
    });
    return endingWith(call, signal);
  }

  async background(request: CommandRequest): Promise<IsolatedCommand> {
    const { run } = await import("@ashlar/sandbox");
    const { command, environment, onOutput } = request;
    const base = sandboxPolicy(request.policy, [], []);
    const policy = { ...base, environment: { ...base.environment, ...environment } };
    const abort = new AbortController();
    const running = run([...SHELL, command], policy, {
      probe: await this.#probed(),
      signal: abort.signal,
      onOutput: ({ bytes }) => onOutput(bytes),
    });
    const exited = running.then(({ exitCode, signal }) => ({ exitCode, signal }), refuse);
    const end = async (): Promise<void> => {
      abort.abort();
      // How it ended is for whoever waits for `exited`.
      await exited.catch(() => undefined);
    };
    this.#hold({ end }, exited);
    return { exited, end };
  }

  async close(): Promise<void> {
    await this.#standby?.close();
    await Promise.all([...this.#running].map((running) => running.end()));
  }

  #prepareSoon(policy: SandboxPolicy, start: () => Promise<ToolProcess>): void {
    // The key is made anew, because the call may have changed what stands at the places that it covers.
    const prepare = (): void => this.#standby?.prepare(standbyKey(policy), start);
    setTimeout(prepare, STANDBY_DELAY_MS).unref();
  }

  async #serve(process: ToolProcess, message: WorkerRequest, served: ServedCall): Promise<IsolatedRun> {
    this.#hold(process, process.ended);
    try {
      return new HostCall(process, message, served);
    } catch (error) {
      await process.end();
      throw error;
    }
  }

  #probed(): Promise<Probe> {
    this.#probe ??= import("@ashlar/sandbox").then(
      ({ probe }) => probe({ environment: this.#environment }),
      notLoaded,
    );
    return this.#probe;
  }

  #hold(running: { readonly end: () => Promise<unknown> }, over: Promise<unknown>): void {
    this.#running.add(running);
    const release = (): void => void this.#running.delete(running);
    over.then(release, release);
  }
}

const NO_SERVICES: HostServices = {
  names: [],
  perform: async () => {
    throw new TypeError("nothing is served while modules are described");
  },
};

/** The result of a call that is over when its signal fires; nothing of it is left then. */
export async function endingWith(call: IsolatedRun, signal: AbortSignal): Promise<unknown> {
  const over = new Promise<never>((_, reject) => {
    const stop = (): void =>
      reject(new AgentError("tool", "The call was ended before it gave a result.", { file: "" }));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([call.result, over]);
  } finally {
    await call.end();
  }
}

/** Processes are alike when the same policy holds for them and no tool was refreshed in between. */
function standbyKey(policy: SandboxPolicy): string {
  const { readOnly = [], hidden = [] } = policy;
  const stamps = placeStamps([...readOnly, ...hidden]);
  return createHash("sha256")
    .update(JSON.stringify([policy, toolRevision(), stamps]))
    .digest("hex");
}

function notLoaded(cause: unknown): Probe {
  return {
    mechanism: "none",
    confines: { files: false, network: false, processes: false },
    reason: `the package @ashlar/sandbox could not be loaded: ${cause instanceof Error ? cause.message : String(cause)}`,
    remedy: "Install it beside @ashlar/agent",
  };
}

/** Nothing was run when the sandbox did not start. */
function refuse(cause: unknown): never {
  const reason = cause instanceof Error ? cause.message : String(cause);
  throw new AgentError(
    "refused",
    `The sandbox did not start: ${reason}`,
    { reason: `sandbox: ${reason}` },
    { cause },
  );
}
