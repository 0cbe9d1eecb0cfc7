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
export type SandboxedCall = Omit<IsolatedRequest, "policy" | "projectFolder" | "settings">;

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
  async start(call: SandboxedCall): Promise<IsolatedRun> {
    const { env } = this.#options;
    const policy = await this.#policyNow(!call.safe);
    const settings = redactAuth(env.settings);
    return this.#isolation.call({
      ...call,
      policy,
      projectFolder: env.cwd,
      settings: isObject(settings) ? settings : {},
    });
  }

  async close(): Promise<void> {
    await this.background.close();
    if (this.#options.isolation === undefined) await this.#isolation.close();
  }

  async #policyNow(write: boolean): Promise<IsolationPolicy> {
    const policy = await this.#policy.policy(write);
    return this.#options.can.network ? policy : { ...policy, network: "none" };
  }

  async #probe(): Promise<void> {
    this.#refusal = isolationRefusal(await this.#isolation.probe());
  }
}
