import type { Agent, AgentEnv, ResultEvent } from "@ashlar/agent";
import { isAshlarError } from "@ashlar/context";
import type { QuestionBridge } from "@ashlar/context/tool";
import type { Outcome } from "../state/attempt.js";
import type { Task } from "../task/task.js";
import { narrowedBudget } from "./narrowed-budget.js";
import type { JobEnd, JobOptions, TaskRunner } from "./task-runner.js";

export interface AgentRunnerOptions {
  /** One for all jobs of a wake. */
  readonly env: AgentEnv;
  /** For tasks that name none. Default: the setting `model`, then the last one used. */
  readonly model?: string;
}

/** The longest wait that a timer of the system takes in one piece. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Runs each task with a fresh headless agent: its own conversation, its own budget, calls in the sandbox. */
export function createAgentRunner({ env, model }: AgentRunnerOptions): TaskRunner {
  return {
    problem: async (task) => {
      // What is listed decides whether a model is there, and nothing may begin that then cannot.
      await env.modelsReady;
      try {
        env.connection(task.model ?? model ?? "", { remember: false });
      } catch (error) {
        return reasonOf(error);
      }
      const known = env.tools(false, task.model ?? model);
      const odd = task.tools?.find((name) => name !== "*" && !known.has(name));
      return odd === undefined ? undefined : `tools: there is no tool ${JSON.stringify(odd)}`;
    },
    run: async (task, options) => {
      try {
        return await runJob({ env, task, model: task.model ?? model }, options);
      } catch (error) {
        return { outcome: "failed", error: reasonOf(error), exitCode: 1 };
      }
    },
  };
}

interface Job {
  readonly env: AgentEnv;
  readonly task: Task;
  readonly model: string | undefined;
}

/** Why a job was ended before its agent was done. */
type Stop = "cancelled" | "timed-out" | "blocked";

async function runJob(job: Job, { session, signal }: JobOptions): Promise<JobEnd> {
  const { task } = job;
  const stopping = new AbortController();
  let stop: Stop | undefined;
  let asked = "";
  const end = (reason: Stop): void => {
    stop ??= reason;
    stopping.abort();
  };
  const question: QuestionBridge = {
    ask: async (questions) => {
      asked = questions[0]?.question ?? "";
      end("blocked");
      throw new Error("Nobody is there to answer: this is a job.");
    },
  };
  const cancel = (): void => end("cancelled");
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  const timer = task.timeoutMs === undefined ? undefined : startTimer(task.timeoutMs, () => end("timed-out"));
  try {
    const agent = await openAgent(job, session, question);
    try {
      agent.send(task.prompt);
      const result = await agent.run({ signal: stopping.signal });
      return endOf(result, stop, { asked, timeoutMs: task.timeoutMs });
    } finally {
      await agent.close();
    }
  } finally {
    timer?.clear();
    signal.removeEventListener("abort", cancel);
  }
}

function openAgent({ env, task, model }: Job, session: string, question: QuestionBridge): Promise<Agent> {
  return env.agentOpen({
    session: { id: session, name: task.filename },
    description: task.id,
    budget: narrowedBudget(env.settings.budget, task.budget),
    question,
    ...(model !== undefined && { model }),
    tools: toolsOf(env, task, model),
    can: {
      // Nobody can be asked; who names the tool has agreed.
      spawn: task.tools?.includes("worker-create") ?? false,
      ...(task.network === "none" && { network: false }),
    },
  });
}

/** They make more of what nobody watches: a task has to ask for them by name. */
const NAMED_ONLY: ReadonlySet<string> = new Set([
  "job-schedule",
  "worker-create",
  "worker-message",
  "worker-status",
  "worker-close",
]);

function toolsOf(env: AgentEnv, { tools = ["*"] }: Task, model: string | undefined): readonly string[] {
  if (!tools.includes("*")) return tools;
  const all = [...env.tools(false, model).keys()].filter((name) => !NAMED_ONLY.has(name));
  return [...new Set([...all, ...tools.filter((name) => name !== "*")])];
}

function endOf(
  { kind, error, exitCode, refused }: ResultEvent,
  stop: Stop | undefined,
  { asked, timeoutMs = 0 }: { readonly asked: string; readonly timeoutMs: number | undefined },
): JobEnd {
  if (kind === "success") return { outcome: "completed", exitCode };
  if (stop === "timed-out")
    return { outcome: stop, error: `it took longer than its timeout of ${timeoutMs / 1_000} s`, exitCode: 6 };
  if (stop === "blocked") return { outcome: stop, error: `it asked: ${asked}`, exitCode: 7 };
  const outcome = OUTCOMES[kind] ?? "failed";
  const [first] = refused ?? [];
  const reason = error ?? (first === undefined ? kind : `${first.tool} was refused: ${first.reason}`);
  return { outcome, error: reason, exitCode };
}

/** What is not here has failed. */
const OUTCOMES: Partial<Record<ResultEvent["kind"], Outcome>> = {
  success: "completed",
  cancelled: "cancelled",
  auth: "blocked",
  refused: "blocked",
};

/** A timer of any length, in pieces that the system can count. */
function startTimer(milliseconds: number, fire: () => void): { readonly clear: () => void } {
  const until = performance.now() + milliseconds;
  let handle: NodeJS.Timeout;
  const wait = (): void => {
    const left = until - performance.now();
    handle = setTimeout(left <= 0 ? fire : wait, Math.min(Math.max(left, 0), MAX_TIMER_MS));
  };
  wait();
  return { clear: () => clearTimeout(handle) };
}

function reasonOf(error: unknown): string {
  if (isAshlarError(error)) return error.message;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
