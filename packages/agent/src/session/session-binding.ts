import type { Context, SessionInfo, SessionRepository, StoredSession } from "@ashlar/context";

/** What ties a conversation to the session it is kept in. */
export interface SessionBinding {
  readonly repository: SessionRepository;
  readonly store: StoredSession;
  /** Nobody asked for it by id or name: it goes away again when nothing was said in it. */
  readonly passing: boolean;
  /** What opening it had to say; told in the first run, when somebody may listen. */
  readonly notices: readonly string[];
}

const bindings = new WeakMap<Context, SessionBinding>();
const releases = new WeakMap<Context, () => void>();
const told = new WeakSet<SessionBinding>();

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
  if (binding?.passing !== true) return;
  const kept: SessionBinding = { ...binding, passing: false };
  if (told.has(binding)) told.add(kept);
  bindSession(context, kept);
}

/** What opening had to say, once. */
export function takeNotices(context: Context): readonly string[] {
  const binding = sessionOf(context);
  if (binding === undefined || told.has(binding)) return [];
  told.add(binding);
  return binding.notices;
}

/** Called once the session is let go. */
export function onSessionClosed(context: Context, release: () => void): void {
  releases.set(context, release);
}

/** Commits everything and lets the session go; a conversation of the caller's own is only committed. */
export async function closeSession(context: Context): Promise<void> {
  const binding = sessionOf(context);
  if (binding === undefined) {
    await context.flush();
    return;
  }
  releases.get(context)?.();
  const isEmpty = binding.passing && context.stats.messages === 0;
  await context.flush({ durable: !isEmpty }).finally(() => context.close());
  if (isEmpty) await binding.repository.delete(binding.store.info.id);
}
