import { Context, type SessionInfo, type SessionRepository, type StoredSession } from "@ashlar/context";
import type { Env } from "@ashlar/env";
import { AgentError } from "../agent-error.js";
import { type AgentCreateOptions, checkAgentOptions } from "../agent-options.js";
import { findToResume } from "./find-session.js";
import { finishClosing } from "./finish.js";
import { bindSession, closeSession, onSessionClosed } from "./session-binding.js";
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
    await closeSession(own.context);
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
  const { resume, fork } = choice;
  if (resume === undefined && fork === undefined) return createSession(env, { repository, choice, options });
  const info =
    resume === undefined
      ? await forkSession(repository, choice, env.cwd)
      : await findToResume(repository, resume, env.cwd);
  return reopenSession(env, { repository, choice, options }, info);
}

interface Opening {
  readonly repository: SessionRepository;
  readonly choice: SessionChoice;
  readonly options: AgentCreateOptions;
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
  const { context: items } = options;
  const context = new Context({
    id: store.info.id,
    store,
    ...(items !== undefined && { items: [...items] }),
    // A name is written when the session is made, so that the entries begin after it.
    ...(name !== undefined && { entries: await store.load() }),
  });
  bindSession(context, { repository, store, passing: id === undefined && name === undefined, notices: [] });
  return { ...options, model, context };
}

async function forkSession(
  repository: SessionRepository,
  { fork = "", id }: SessionChoice,
  cwd: string,
): Promise<SessionInfo> {
  return repository.fork(fork, { cwd, ...(id !== undefined && { id }) });
}

async function reopenSession(
  env: Env,
  { repository, choice, options }: Opening,
  info: SessionInfo,
): Promise<SessionAgentOptions> {
  const store = await repository.open(info.id);
  try {
    const context = await Context.open({ store, whole: choice.whole === true });
    if (choice.name !== undefined && choice.name !== context.name) context.rename(choice.name);
    const { name, ...stored } = readSessionSettings(info.settings);
    const { model, notice } = sessionModel(env, options, context.stats.model ?? stored.model);
    bindSession(context, {
      repository,
      store,
      passing: false,
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
