import type { Context } from "@ashlar/context";
import type { Env } from "@ashlar/env";
import { AgentError } from "../agent-error.js";
import { type AgentCreateOptions, checkAgentName } from "../agent-options.js";
import type { Isolation } from "../isolation/isolation.js";
import type { Budget } from "../loop/budget.js";
import { openAgent } from "../session/open-session.js";
import { sessionOf } from "../session/session-binding.js";
import type { SessionChoice } from "../session/session-choice.js";
import { type ChildOptions, checkChildOptions, inheritedOptions } from "./child-options.js";
import type { ChildAgent, Children } from "./children.js";
import type { Purse, PurseMoment } from "./purse.js";
import { workFolder } from "./work-folder.js";

/** What a parent brings to the making of a child. */
export interface ChildMaker<A extends ChildAgent> {
  readonly env: Env;
  readonly context: Context;
  /** The parent's, with its model as it is now. */
  readonly options: AgentCreateOptions & { readonly model: string };
  /** The parent's: absolute and real. */
  readonly folder: string;
  readonly isolation: Isolation | undefined;
  readonly children: Children<A>;
  readonly purse: Purse;
  readonly moment: PurseMoment;
  /** A run of the parent is under way. */
  readonly busy: boolean;
  /** Holds a name; gives the way to let it go. */
  readonly claim: (name: string) => () => void;
  /** A model by its qualified name. Throws for an unknown one. */
  readonly resolve: (selector: string) => string;
  /** How many more agents may work with the model now, and how many at all. */
  readonly capacity: (selector: string) => ModelRoom;
  /** Makes the agent below its parent. */
  readonly create: (options: AgentCreateOptions) => A;
}

export interface ModelRoom {
  readonly available: number;
  readonly maxActive: number;
}

/** Makes a child, with a session below its parent's. Nothing is left of it when that fails. */
export async function createChild<A extends ChildAgent>(
  maker: ChildMaker<A>,
  options: ChildOptions,
): Promise<A> {
  return maker.children.hold(makeChild(maker, options));
}

async function makeChild<A extends ChildAgent>(maker: ChildMaker<A>, options: ChildOptions): Promise<A> {
  const checked = checkChild(maker, options);
  const { isolation } = maker;
  requireRoom(maker, [checked.model]);
  const letGo = maker.claim(options.name);
  let budget: Budget | undefined;
  try {
    budget = takePlace(maker);
    const own = { ...checked, budget, ...(isolation !== undefined && { isolation }) };
    const child = await openAgent(maker.env, { ...own, session: childSession(maker.context) }, maker.create);
    await maker.children.add(child, budget);
    return child;
  } catch (error) {
    budget?.release();
    throw error;
  } finally {
    letGo();
  }
}

export type CheckedChild = AgentCreateOptions & { readonly model: string };

/** The options of the child's agent. Throws kind `usage` for what can be told to be wrong before anything is made. */
export function checkChild<A extends ChildAgent>(maker: ChildMaker<A>, options: ChildOptions): CheckedChild {
  checkChildOptions(options);
  checkAgentName(options.name, "agent.childCreate");
  maker.claim(options.name)();
  workFolder(maker.env, options.folder, maker.folder);
  const inherited = inheritedOptions(maker.options, options);
  return { ...inherited, model: maker.resolve(inherited.model ?? maker.options.model) };
}

/** Throws kind `usage` unless so many more agents may work with each model now. */
export function requireRoom(
  { capacity }: Pick<ChildMaker<never>, "capacity">,
  models: readonly string[],
): void {
  for (const model of new Set(models)) {
    const wanted = models.filter((other) => other === model).length;
    const { available, maxActive } = capacity(model);
    if (available >= wanted) continue;
    const message = `${model} takes ${available} more of ${maxActive} agents at one time, and ${wanted} ${wanted === 1 ? "is" : "are"} asked for. Wait until one is idle, take another model, or raise maxActive.`;
    throw new AgentError("usage", message, { argument: "maxActive" });
  }
}

function takePlace<A extends ChildAgent>({ purse, moment, busy, children }: ChildMaker<A>): Budget {
  const place = purse.childPlace(moment, !busy && children.list.length === 0);
  if (place.ok) return place.budget;
  const { message, rule } = place.stop;
  throw new AgentError("usage", `agent.childCreate: ${message}`, { argument: `budget.${rule}` });
}

/** Kept beside the parent's, or nowhere like it. */
function childSession(parent: Context): SessionChoice | false {
  const binding = sessionOf(parent);
  return binding === undefined ? false : { repository: binding.repository, childOf: binding.store.info.id };
}
