import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { QuestionBridge, ToolContext, ToolFunction } from "@ashlar/context/tool";
import { isObject } from "../../loop/json-object.js";
import type { CallReply, CallRequest, ThrownError } from "../pack-message.js";
import { resultProblem } from "./result-problem.js";
import { resultSize } from "./result-size.js";
import type { Witness } from "./witness.js";

const PENDING: unique symbol = Symbol("pending");
const NO_SIZE = { characters: 0, attachmentBytes: 0 } as const;

/** Makes one call and says how it ended. Rejects when the module or the tool is not there. */
export async function callTask(request: CallRequest, witness: Witness): Promise<CallReply> {
  const abort = new AbortController();
  const context = contextOf(request, abort.signal);
  const run = await calledFunction(request, context);
  witness.take();
  const working = (async (): Promise<unknown> => run(request.args, context))();
  try {
    const value = await Promise.race([working, endOfPatience(request, abort)]);
    // A call that was left may still fail.
    if (value === PENDING) working.catch(() => undefined);
    if (value === PENDING) return { outcome: "pending", ...NO_SIZE, attempts: witness.take() };
    const problem = resultProblem(value);
    return {
      outcome: "returned",
      ...(problem === undefined ? resultSize(value) : { ...NO_SIZE, problem }),
      attempts: witness.take(),
    };
  } catch (error) {
    return { outcome: "threw", ...NO_SIZE, error: thrown(error), attempts: witness.take() };
  }
}

async function endOfPatience(
  { abortAfterMs, limitMs }: CallRequest,
  abort: AbortController,
): Promise<typeof PENDING> {
  if (abortAfterMs !== null) {
    await setTimeout(abortAfterMs);
    abort.abort(new DOMException("The call was cancelled.", "AbortError"));
  }
  return setTimeout(limitMs, PENDING);
}

function contextOf({ tool, folder, settings, safe, limitMs }: CallRequest, signal: AbortSignal): ToolContext {
  return {
    env: { cwd: folder, settings },
    signal,
    deadline: Date.now() + limitMs,
    call: { callId: "call-1", name: tool },
    agent: { folder },
    safe,
    question: firstOption,
    onData: () => undefined,
  };
}

/** A person who takes the first option of each question. */
const firstOption: QuestionBridge = {
  ask: async (questions) =>
    questions.map(({ options }) => ({ labels: options.slice(0, 1).map(({ label }) => label) })),
};

async function calledFunction(
  { file, tool }: CallRequest,
  { env }: ToolContext,
): Promise<ToolFunction<unknown>> {
  // Some module; its members are asked for by name.
  const module: Readonly<Record<string, unknown>> = await import(/* @vite-ignore */ pathToFileURL(file).href);
  const describe = module.toolDescription ?? module.describe;
  const described: unknown = typeof describe === "function" ? describe(env) : {};
  const entry = isObject(described) ? described[tool] : undefined;
  const run = typeof module[tool] === "function" ? module[tool] : isObject(entry) ? entry.fn : undefined;
  if (typeof run !== "function") throw new Error(`${file} has no function for ${tool}`);
  // A function; the schema stands for the type of its arguments.
  return run as ToolFunction<unknown>;
}

function thrown(error: unknown): ThrownError {
  return error instanceof Error ? { name: error.name, message: error.message } : { message: String(error) };
}
