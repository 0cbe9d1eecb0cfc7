import {
  type Context,
  isSessionError,
  type SessionInfo,
  type SessionRepository,
  type StoredSession,
} from "@ashlar/context";

/** What ties a conversation to the session it is kept in. */
export interface SessionBinding {
  readonly repository: SessionRepository;
  readonly store: StoredSession;
  /** It was made for this agent. */
  readonly isNew: boolean;
  /** Nobody asked for it by id or name, and nothing hangs on it: it goes away again when nothing was said in it. */
  isPassing: boolean;
  /** What opening it had to say and was not told yet: the first run tells it, when somebody may listen. */
  notices: readonly string[];
  /** Called once the session is let go. */
  onClosed?: () => void;
}

const bindings = new WeakMap<Context, SessionBinding>();

export function bindSession(context: Context, binding: SessionBinding): void {
  bindings.set(context, binding);
}

export function sessionOf(context: Context): SessionBinding | undefined {
  return bindings.get(context);
}

/** What is known of the session now; undefined for a conversation that is kept nowhere. */
export function sessionInfoOf(context: Context): SessionInfo | undefined {
  return sessionOf(context)?.store.info;
}

/** Other sessions hang on this one: it stays, also when nothing is said in it. */
export function keepSession(context: Context): void {
  const binding = sessionOf(context);
  if (binding !== undefined) binding.isPassing = false;
}

/** What opening had to say, once. */
export function takeNotices(context: Context): readonly string[] {
  const binding = sessionOf(context);
  if (binding === undefined) return [];
  const { notices } = binding;
  binding.notices = [];
  return notices;
}

export function onSessionClosed(context: Context, release: () => void): void {
  const binding = sessionOf(context);
  if (binding !== undefined) binding.onClosed = release;
}

/** Commits everything and lets the session go; a conversation of the caller's own is only committed. */
export async function closeSession(context: Context): Promise<void> {
  const binding = sessionOf(context);
  if (binding === undefined) {
    await context.flush();
    return;
  }
  binding.onClosed?.();
  const isEmpty = binding.isPassing && holdsNothing(context);
  await context.flush({ durable: !isEmpty }).finally(() => context.close());
  if (isEmpty) await deleteUnused(binding);
}

/** Nothing was said, and nothing noted; a system prompt alone says nothing. */
function holdsNothing(context: Context): boolean {
  if (context.stats.messages > 0 || context.name !== undefined) return false;
  return context.entries().every(({ kind }) => kind === "prepend");
}

/** Lets a session go of which nothing came; one that was made for it goes away. */
export async function dropSession(context: Context): Promise<void> {
  const binding = sessionOf(context);
  await context.close();
  if (binding?.isNew === true) await deleteUnused(binding);
}

async function deleteUnused({ repository, store }: SessionBinding): Promise<void> {
  try {
    await repository.delete(store.info.id);
  } catch (error) {
    // Somebody else took it up in between, so it is of use after all.
    if (!isSessionError(error) || error.kind !== "locked") throw error;
  }
}
