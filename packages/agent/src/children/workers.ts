import type { Worker, WorkerModel, WorkerRequest, Workers } from "@ashlar/context/tool";
import { AgentError } from "../agent-error.js";
import { AGENT_EVENT } from "../agent-events.js";
import { looksAlike } from "./agent-name.js";
import type { ChildOptions } from "./child-options.js";
import { type ChildMaker, checkChild, createChild, requireRoom } from "./create-child.js";
import { closeAfterHandOff } from "./hand-off.js";
import { selectNames } from "./name-pattern.js";
import type { NestAgent } from "./nest-agent.js";
import { permitSpawn } from "./spawn-permission.js";
import type { WorkerCall } from "./worker-call.js";
import { workerOptions, workerPrompt } from "./worker-options.js";
import { beginWork } from "./worker-run.js";

/** What the workers of one agent have to do with it. */
export interface WorkersParts<A extends NestAgent> {
  readonly agent: A;
  /** The open ones, oldest first. */
  readonly children: () => readonly A[];
  readonly maker: () => ChildMaker<A>;
  readonly notice: (message: string) => void;
  /** One change of the workers at a time, in the order of the calls. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Milliseconds before a call's deadline at which waiting for a worker ends. */
const CLOSE_MARGIN_MS = 10_000;
const MAX_MODELS = 50;

/** The workers of an agent, for one call. */
export function workersFor<A extends NestAgent>(parts: WorkersParts<A>, call: WorkerCall): Workers {
  const { inTurn, children } = parts;
  return {
    create: (requests, { prompt }) => inTurn(() => createWorkers(parts, { requests, prompt, call })),
    message: (names, prompt) => inTurn(() => messageWorkers(parts, names, prompt)),
    list: () => children().map(shown),
    models: () => models(parts),
    commands: async () => (await parts.agent.env.prompts()).prompts.map(({ name }) => `/${name}`),
    close: (names) =>
      inTurn(() =>
        Promise.all(
          chosen(children(), names).map(async (worker) => {
            const limitMs = call.deadline() - Date.now() - CLOSE_MARGIN_MS;
            const end = await closeAfterHandOff(worker, { limitMs, signal: call.signal });
            return { name: worker.name, end };
          }),
        ),
      ),
  };
}

interface Creation {
  readonly requests: readonly WorkerRequest[];
  readonly prompt: string | undefined;
  readonly call: WorkerCall;
}

/** Everything is checked, and the person asked, before the first is made; when one cannot be made, none stays. */
async function createWorkers<A extends NestAgent>(
  parts: WorkersParts<A>,
  { requests, prompt, call }: Creation,
): Promise<readonly Worker[]> {
  const { agent, maker } = parts;
  const names = requests.map(({ name }) => name);
  requireDistinct(names);
  const texts = await systemTexts(agent, maker().options.systemPrompt);
  const planned = requests.map((request) =>
    workerOptions(request, workerPrompt(texts, { name: request.name, parent: agent.name })),
  );
  if (prompt !== undefined) requireText(prompt);
  checkAll(maker(), planned);
  await orAborted(permitSpawn(agent.can, { names, prompt }, call.question), call.signal);
  const made = await createAll(maker(), planned, call.signal);
  for (const worker of made) {
    worker.onEvent(AGENT_EVENT.LOG, (message) => parts.notice(`${worker.name}: ${message}`));
    if (prompt !== undefined) beginWork(worker, prompt, maker().children);
  }
  return made.map(shown);
}

/** A person who does not answer holds nobody up once the call is over. */
async function orAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  let release = (): void => {};
  const over = new Promise<never>((_, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    release = () => signal.removeEventListener("abort", abort);
  });
  try {
    await Promise.race([work, over]);
    signal.throwIfAborted();
  } finally {
    release();
  }
}

function checkAll<A extends NestAgent>(maker: ChildMaker<A>, planned: readonly ChildOptions[]): void {
  requireRoom(
    maker,
    planned.map((options) => checkChild(maker, options).model),
  );
}

async function createAll<A extends NestAgent>(
  maker: ChildMaker<A>,
  planned: readonly ChildOptions[],
  signal: AbortSignal,
): Promise<readonly A[]> {
  const made: A[] = [];
  try {
    for (const options of planned) {
      made.push(await createChild(maker, options));
      signal.throwIfAborted();
    }
    return made;
  } catch (error) {
    await Promise.allSettled(made.map((worker) => worker.close()));
    throw error;
  }
}

async function messageWorkers<A extends NestAgent>(
  { maker, children }: WorkersParts<A>,
  names: readonly string[],
  prompt: string,
): Promise<readonly Worker[]> {
  const workers = chosen(children(), names);
  requireText(prompt);
  requireRoom(
    maker(),
    workers.filter(({ busy }) => !busy).map(({ model }) => model),
  );
  for (const worker of workers) beginWork(worker, prompt, maker().children);
  return workers.map(shown);
}

function chosen<A extends NestAgent>(children: readonly A[], names: readonly string[]): readonly A[] {
  const open = children.filter(({ closeMarked }) => !closeMarked);
  const wanted = selectNames(
    names,
    open.map(({ name }) => name),
  );
  return open.filter(({ name }) => wanted.includes(name));
}

function models<A extends NestAgent>({ agent, maker }: WorkersParts<A>): readonly WorkerModel[] {
  const { capacity } = maker();
  const names = new Set([agent.model, ...agent.env.models().keys()]);
  return [...names].slice(0, MAX_MODELS).map((model) => {
    const { available, maxActive } = capacity(model);
    return { model, available, maxActive };
  });
}

function shown({ name, description, model, busy, pending, folder }: NestAgent): Worker {
  return { name, description, model, state: busy ? "busy" : "idle", pending, folder };
}

/** What the agent's own conversation began with. */
async function systemTexts(
  { env }: NestAgent,
  systemPrompt: string | false | undefined,
): Promise<readonly string[]> {
  if (systemPrompt === undefined) return env.systemPrompt();
  return systemPrompt === false ? [] : [systemPrompt];
}

function requireText(prompt: string): void {
  if (prompt.trim() !== "") return;
  throw new AgentError("usage", "prompt: there is no text in it.", { argument: "prompt" });
}

function requireDistinct(names: readonly string[]): void {
  if (names.length === 0)
    throw new AgentError("usage", "workers: none is described.", { argument: "workers" });
  const twice = names.find((name, index) => names.slice(0, index).some((other) => looksAlike(name, other)));
  if (twice === undefined) return;
  throw new AgentError("usage", `workers: two are called ${JSON.stringify(twice)}, or nearly so.`, {
    argument: "workers",
  });
}
