import {
  Context,
  type ContextItem,
  type SessionInfo,
  type SessionRepository,
  type StoredSession,
} from "@ashlar/context";
import type { Env } from "@ashlar/env";
import { AgentError } from "../agent-error.js";
import { type AgentCreateOptions, checkAgentOptions } from "../agent-options.js";
import { findToResume, lastModelOf } from "./find-session.js";
import { finishClosing } from "./finish.js";
import { bindSession, dropSession, onSessionClosed } from "./session-binding.js";
import { type AgentOpenOptions, checkSessionChoice, type SessionChoice } from "./session-choice.js";
import { sessionModel } from "./session-model.js";
import { savesByDefault, sessionRepository } from "./session-repository.js";
import { readSessionSettings, sessionSettings, withStoredSettings } from "./session-settings.js";

/** So many findings about a damaged session are told, then their number. */
const TOLD_DAMAGE = 5;

interface ClosingAgent {
  readonly cancel: () => void;
  readonly close: () => Promise<void>;
}

/** Makes an agent over its session, new or not. What was opened is let go again when the agent cannot be made. */
export async function openAgent<A extends ClosingAgent>(
  env: Env,
  { session, ...options }: AgentOpenOptions,
  create: (options: AgentCreateOptions) => A,
): Promise<A> {
  checkAgentOptions(options);
  if (session === false || (session === undefined && !savesByDefault(env))) return create(options);
  const own = await openSession(env, session ?? {}, options);
  try {
    const agent = create(own);
    const release = finishClosing(() => {
      agent.cancel();
      return agent.close();
    });
    onSessionClosed(own.context, release);
    return agent;
  } catch (error) {
    await dropSession(own.context);
    throw error;
  }
}

type SessionAgentOptions = AgentCreateOptions & { readonly context: Context };

async function openSession(
  env: Env,
  choice: SessionChoice,
  options: AgentCreateOptions,
): Promise<SessionAgentOptions> {
  checkSessionChoice(choice);
  checkStart(choice, options);
  const repository = choice.repository ?? (await sessionRepository(env));
  const { resume, fork, id } = choice;
  const opening = { repository, choice, options };
  if (resume !== undefined)
    return reopenSession(env, opening, { info: await findToResume(repository, resume, env.cwd) });
  if (fork === undefined) return createSession(env, opening);
  const model = await lastModelOf(repository, fork);
  const info = await repository.fork(fork, { cwd: env.cwd, ...(id !== undefined && { id }) });
  return orDelete(repository, info.id, () => reopenSession(env, opening, { info, model }));
}

interface Opening {
  readonly repository: SessionRepository;
  readonly choice: SessionChoice;
  readonly options: AgentCreateOptions;
}

interface KnownSession {
  readonly info: SessionInfo;
  /** The model that answered last, where the session itself does not say. */
  readonly model?: string | undefined;
}

/** A conversation that is kept is begun by its session: with given items only when it is new. */
function checkStart({ resume, fork }: SessionChoice, { context }: AgentCreateOptions): void {
  if (context === undefined) return;
  const problem =
    context instanceof Context
      ? "a Context of your own is not kept in a session; give its items, or session: false"
      : (resume ?? fork) !== undefined
        ? "a session that is resumed or forked has its conversation already; send() what is new"
        : undefined;
  if (problem !== undefined)
    throw new AgentError("usage", `agentOpen: context: ${problem}.`, { argument: "context" });
}

async function createSession(
  env: Env,
  { repository, choice, options }: Opening,
): Promise<SessionAgentOptions> {
  const { id, name, childOf } = choice;
  const { model } = sessionModel(env, options, undefined);
  const store = await repository.create({
    cwd: env.cwd,
    settings: sessionSettings(options, model, childOf !== undefined),
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
    ...(childOf !== undefined && { parent: { session: childOf } }),
  });
  const context = await orDelete(repository, store.info.id, () => beginConversation(store, options.context));
  const isPassing = id === undefined && name === undefined;
  bindSession(context, { repository, store, isNew: true, isPassing, notices: [] });
  return { ...options, model, context };
}

async function beginConversation(
  store: StoredSession,
  items: Iterable<ContextItem> | undefined,
): Promise<Context> {
  try {
    const { id, name } = store.info;
    const context = new Context({
      id,
      store,
      ...(items !== undefined && { items: [...items] }),
      // A name is written when the session is made, so that the entries begin after it.
      ...(name !== undefined && { entries: await store.load() }),
    });
    // What it begins with is committed before anything is asked of a model.
    if (items !== undefined) await context.flush();
    return context;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** A session that was just made goes away again when nothing comes of it. */
async function orDelete<T>(repository: SessionRepository, id: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await repository.delete(id);
    throw error;
  }
}

async function reopenSession(
  env: Env,
  { repository, choice, options }: Opening,
  { info, model: known }: KnownSession,
): Promise<SessionAgentOptions> {
  const store = await repository.open(info.id);
  try {
    const context = await Context.open({ store, whole: choice.whole === true });
    if (choice.name !== undefined && choice.name !== context.name) context.rename(choice.name);
    const { name, ...stored } = readSessionSettings(info.settings);
    const { model, notice } = sessionModel(env, options, context.stats.model ?? known ?? stored.model);
    bindSession(context, {
      repository,
      store,
      isNew: choice.fork !== undefined,
      isPassing: false,
      notices: [...damageNotices(store), ...(notice === undefined ? [] : [notice])],
    });
    // Two agents that go on from one conversation are not one and the same.
    const own = choice.fork === undefined && name !== undefined ? { ...stored, name } : stored;
    return { ...withStoredSettings(options, own), model, context };
  } catch (error) {
    await store.close();
    throw error;
  }
}

function damageNotices({ damage }: StoredSession): readonly string[] {
  const told = damage.slice(0, TOLD_DAMAGE).map(({ message }) => message);
  const more = damage.length - told.length;
  return more > 0 ? [...told, `${more} more places of this session are damaged.`] : told;
}
