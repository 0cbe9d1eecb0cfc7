import { redactAuth } from "@ashlar/context";
import type { Env } from "@ashlar/env";
import { BackgroundManager } from "../background/background-manager.js";
import { isObject } from "../loop/json-object.js";
import { UndoJournal } from "../undo/undo-journal.js";
import { type IsolatedRequest, type IsolatedRun, type Isolation, isolationRefusal } from "./isolation.js";
import type { IsolationPolicy } from "./isolation-policy.js";
import { createPolicySource, type PolicySource } from "./policy-source.js";
import { SandboxIsolation } from "./sandbox-isolation.js";
import { sandboxVariables } from "./sandbox-variables.js";
import { steeringPlaces } from "./steering-places.js";

export interface AgentSandboxOptions {
  readonly env: Env;
  /** The agent's: absolute and real. */
  readonly folder: string;
  readonly can: { readonly network: boolean };
  /** Takes the place of the operating system's sandbox; whoever made it closes it. */
  readonly isolation: Isolation | undefined;
  /** Why this agent changes nothing, whatever isolation there is. */
  readonly readOnly: string | undefined;
  readonly notice: (message: string) => void;
}

/** A call as the agent hands it over; the rest is known here. */
export interface SandboxedCall extends Omit<IsolatedRequest, "policy" | "projectFolder" | "settings"> {
  /** Paths that it says it will write, as its arguments name them. */
  readonly writes: readonly string[];
}

/** Where one agent's calls that change something run, with what outlives them: background commands and the undo journal. */
export class AgentSandbox {
  readonly background: BackgroundManager;
  /** Undefined where no files of the user are kept. */
  readonly journal: UndoJournal | undefined;
  readonly #options: AgentSandboxOptions;
  readonly #policy: PolicySource;
  readonly #isolation: Isolation;
  #refusal: string | undefined;
  #probing: Promise<void> | undefined;

  constructor(options: AgentSandboxOptions) {
    const { env, folder, isolation, readOnly, notice } = options;
    this.#options = options;
    this.#refusal = readOnly;
    this.#policy = createPolicySource({ env, folder, notice });
    this.#isolation = isolation ?? new SandboxIsolation(sandboxVariables(env), { standby: true });
    this.background = new BackgroundManager({
      start: async (request) =>
        this.#isolation.background({ ...request, policy: await this.#policyNow(true) }),
    });
    this.journal = env.hasLayer("user")
      ? new UndoJournal({ project: env.cwd, state: env.folders.state })
      : undefined;
  }

  /** Where its calls run; it is the agent's that made it. */
  get isolation(): Isolation {
    return this.#isolation;
  }

  /** Why nothing is changed, as far as is known; the sandbox is not tried for it. */
  get refusal(): string | undefined {
    return this.#refusal;
  }

  /** The same once the sandbox was tried. */
  async findRefusal(): Promise<string | undefined> {
    if (this.#refusal !== undefined) return this.#refusal;
    this.#probing ??= this.#probe();
    await this.#probing;
    return this.#refusal;
  }

  /** Starts a call. Throws kind `refused` when the sandbox cannot take it. */
  async start({ writes, ...call }: SandboxedCall): Promise<IsolatedRun> {
    const { env, folder } = this.#options;
    const policy = await this.#policyNow(!call.safe, writes);
    const before = call.safe ? undefined : await steeringPlaces(folder);
    const settings = redactAuth(env.settings);
    const run = await this.#isolation.call({
      ...call,
      policy,
      projectFolder: env.cwd,
      settings: isObject(settings) ? settings : {},
    });
    if (before === undefined || writes.length > 0) return run;
    const end = async (): Promise<void> => {
      await run.end();
      await this.#tellNew(call.name, before);
    };
    return { result: run.result, lastWord: () => run.lastWord(), end };
  }

  async close(): Promise<void> {
    try {
      await this.background.close();
    } finally {
      if (this.#options.isolation === undefined) await this.#isolation.close();
    }
  }

  /** A place that was not there cannot be held, so whoever watches is told when a call makes it. */
  async #tellNew(tool: string, before: readonly string[]): Promise<void> {
    const { folder, notice } = this.#options;
    const made = (await steeringPlaces(folder)).filter((place) => !before.includes(place));
    for (const place of made) notice(`${tool} made ${place}, which steers later agents. Look at it.`);
  }

  async #policyNow(write: boolean, writes: readonly string[] = []): Promise<IsolationPolicy> {
    const policy = await this.#policy.policy(write, writes);
    return this.#options.can.network ? policy : { ...policy, network: "none" };
  }

  async #probe(): Promise<void> {
    this.#refusal = isolationRefusal(await this.#isolation.probe());
  }
}
