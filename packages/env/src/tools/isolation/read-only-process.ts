import { createRequire } from "node:module";
import type { Answer, Question } from "@ashlar/context/tool";
import { EnvError } from "../../env-error.js";
import { isObject } from "../schema/plain-object.js";
import type { DescribedModule, IsolatedCall, ToolIsolation } from "./tool-isolation.js";
import type { WorkerAnswer, WorkerLine } from "./worker-message.js";
import type { WorkerRun } from "./worker-process.js";

const DESCRIBE_TIMEOUT_MS = 10_000;
/** `setTimeout` fires at once beyond this. */
const MAX_TIMEOUT_MS = 2_147_483_647;
/** What a tool process gets of the environment; keys and tokens are not among it. */
const ENVIRONMENT_NAMES = ["PATH", "HOME", "LANG", "LC_ALL", "TZ"] as const;

/**
 * Node's permission model: the process can write no file, start no process or thread and load no native code. Reading
 * and the network are not confined, so it is not a sandbox, and calls that change something are refused.
 */
export function createReadOnlyProcess(
  environment: Readonly<Record<string, string | undefined>>,
): ToolIsolation {
  const built = builtEnvironment(environment);
  const base = (folder: string) => ({ argv: workerArguments(), environment: built, folder });
  return {
    describe: async ({ files, cwd, settings, signal }) => {
      const value = await runWorker({
        ...base(cwd),
        file: files[0] ?? cwd,
        request: { type: "describe", files, cwd, settings, readOnly: true },
        signal,
        timeoutMs: DESCRIBE_TIMEOUT_MS,
      });
      if (!Array.isArray(value)) throw new EnvError("tool", "The tool process gave no descriptions.", {});
      return value.map(describedModule);
    },
    call: (request) =>
      runWorker({
        ...base(request.context.agent.folder),
        file: request.file,
        request: callRequest(request),
        signal: request.context.signal,
        timeoutMs: Math.min(Math.max(request.context.deadline - Date.now(), 1), MAX_TIMEOUT_MS),
        onLine: (line, answer) => relay(line, { request, answer }),
      }),
  };
}

/** Most Envs have no package with tools and never load the parts that start processes. */
async function runWorker(run: WorkerRun): Promise<unknown> {
  const worker = await import("./worker-process.js");
  return worker.runWorker(run);
}

function workerArguments(): readonly string[] {
  const flag = ["--permission", "--experimental-permission"].find((name) =>
    process.allowedNodeEnvironmentFlags.has(name),
  );
  if (flag === undefined) {
    throw new EnvError(
      "tool",
      "Tools of packages need Node's permission model, which this runtime does not have.",
      {},
    );
  }
  // By its own name, so that it is the built program also when this file runs from the sources.
  const worker = createRequire(import.meta.url).resolve("@ashlar/env/tool-worker");
  return ["--disable-warning=ExperimentalWarning", flag, "--allow-fs-read=*", worker];
}

function builtEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const built: Record<string, string> = { ASHLAR_TOOL_WORKER: "1" };
  for (const name of ENVIRONMENT_NAMES) {
    const value = environment[name];
    if (value !== undefined) built[name] = value;
  }
  return built;
}

function callRequest({ file, name, args, context, settings }: IsolatedCall) {
  return {
    type: "call",
    file,
    name,
    args,
    cwd: context.env.cwd,
    settings,
    readOnly: true,
    folder: context.agent.folder,
    callId: context.call.callId,
    safe: context.safe,
    deadline: context.deadline,
    questionBridge: context.question !== null,
  } as const;
}

interface Relay {
  readonly request: IsolatedCall;
  readonly answer: (answer: WorkerAnswer) => void;
}

function relay(line: WorkerLine, { request, answer }: Relay): void {
  if (line.type === "data") request.context.onData(line.data);
  if (line.type !== "ask") return;
  const { id, questions } = line;
  void ask(request, questions).then((answers) => answer({ type: "answer", id, answers }));
}

async function ask(
  { context }: IsolatedCall,
  questions: readonly Question[],
): Promise<readonly Answer[] | null> {
  try {
    return context.question === null ? null : await context.question.ask(questions);
  } catch {
    // Whatever kept the person from answering, the tool hears that nobody did.
    return null;
  }
}

function describedModule(value: unknown): DescribedModule {
  if (!isObject(value) || typeof value.file !== "string" || !Array.isArray(value.tools)) {
    throw new EnvError("tool", "The tool process gave a description that is none.", {});
  }
  const problems = Array.isArray(value.problems) ? value.problems.map(String) : [];
  const { file, tools, settings } = value;
  return {
    file,
    tools,
    settings,
    problems,
    ...(typeof value.failure === "string" ? { failure: value.failure } : {}),
  };
}
