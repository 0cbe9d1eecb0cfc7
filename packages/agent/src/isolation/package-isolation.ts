import type { DescribedModule, DescribeRequest, Env, IsolatedCall, ToolIsolation } from "@ashlar/env";
import { AgentError } from "../agent-error.js";
import { callServices } from "../dispatch/call-services.js";
import { isObject } from "../loop/json-object.js";
import { isolationRefusal } from "./isolation.js";
import type { IsolationPolicy } from "./isolation-policy.js";
import { createPolicySource } from "./policy-source.js";
import { endingWith, SandboxIsolation } from "./sandbox-isolation.js";
import { sandboxVariables } from "./sandbox-variables.js";

/** Milliseconds that describing a package may take. */
const DESCRIBE_LIMIT_MS = 10_000;

/**
 * Describes the tools of packages and runs their safe calls in a sandbox in which nothing can be written; where none
 * works, in the process that Env has for it.
 */
export class PackageIsolation implements ToolIsolation {
  readonly #env: Env;
  readonly #readOnlyProcess: ToolIsolation;
  #chosen: Promise<ToolIsolation> | undefined;

  constructor(env: Env, readOnlyProcess: ToolIsolation) {
    this.#env = env;
    this.#readOnlyProcess = readOnlyProcess;
  }

  async describe(request: DescribeRequest): Promise<readonly DescribedModule[]> {
    return (await this.#choose()).describe(request);
  }

  async call(request: IsolatedCall): Promise<unknown> {
    return (await this.#choose()).call(request);
  }

  #choose(): Promise<ToolIsolation> {
    this.#chosen ??= this.#choice();
    return this.#chosen;
  }

  async #choice(): Promise<ToolIsolation> {
    const sandbox = new SandboxIsolation(sandboxVariables(this.#env), { standby: false });
    if (isolationRefusal(await sandbox.probe()) !== undefined) return this.#readOnlyProcess;
    // Whatever of the settings does not count is said by the agents.
    const source = createPolicySource({ env: this.#env, folder: this.#env.cwd, notice: () => undefined });
    return {
      describe: async ({ files, cwd, settings, signal }) => {
        const policy = await source.policy(false);
        const time = AbortSignal.any([signal, AbortSignal.timeout(DESCRIBE_LIMIT_MS)]);
        const described = await sandbox.describe({
          files,
          projectFolder: cwd,
          settings,
          policy,
          signal: time,
        });
        if (!Array.isArray(described))
          throw new AgentError("tool", "The tool process gave no descriptions.", { file: files[0] ?? cwd });
        return described.map(describedModule);
      },
      call: async (request) => runSafely(request, sandbox, await source.policy(false)),
    };
  }
}

async function runSafely(
  { file, name, args, context, settings }: IsolatedCall,
  sandbox: SandboxIsolation,
  policy: IsolationPolicy,
): Promise<unknown> {
  const run = await sandbox.call({
    file,
    name,
    args,
    policy,
    settings,
    callId: context.call.callId,
    safe: true,
    deadline: () => context.deadline,
    projectFolder: context.env.cwd,
    onData: context.onData,
    services: callServices({
      question: context.question ?? undefined,
      background: undefined,
      changes: context.changes,
      skills: undefined,
    }),
  });
  return endingWith(run, context.signal);
}

function describedModule(value: unknown): DescribedModule {
  if (!isObject(value) || typeof value.file !== "string" || !Array.isArray(value.tools))
    throw new AgentError("tool", "The tool process gave a description that is none.", { file: "" });
  const { file, tools, settings, failure } = value;
  const problems = Array.isArray(value.problems) ? value.problems.map(String) : [];
  return { file, tools, settings, problems, ...(typeof failure === "string" && { failure }) };
}
