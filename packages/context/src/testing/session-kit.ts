import { Context } from "../context.js";
import type { JsonObject } from "../json.js";
import { contentText } from "../message/content.js";
import { isMessage } from "../message/guard.js";
import { type ContextItem, type Message, MessageType } from "../message.js";
import type { MessageEntry, SessionEntry } from "../session/entry.js";
import type { SessionRepository } from "../session/repository.js";
import type { SessionStore, StoredSession } from "../session/store.js";

export function user(text: string): Message {
  return { type: MessageType.user, content: [{ type: "text", text }] };
}

export function assistant(text: string): Message {
  return { type: MessageType.assistant, content: [{ type: "text", text }] };
}

export function calling(...callIds: readonly string[]): Message {
  const content = callIds.map(
    (callId) => ({ type: "toolCall", callId, name: "write", arguments: { path: callId } }) as const,
  );
  return { type: MessageType.assistant, content };
}

export function result(callId: string, text = "ok"): Message {
  return { type: MessageType.toolResult, callId, content: [{ type: "text", text }] };
}

/** A message entry with the id `e<seq>`, grown from the one before it. */
export function entry(
  seq: number,
  more: Partial<MessageEntry> & { readonly text?: string } = {},
): MessageEntry {
  const { text = `text ${seq}`, ...fields } = more;
  const parent = seq === 1 ? null : `e${seq - 1}`;
  return { id: `e${seq}`, seq, parent, at: 1_000 + seq, kind: "message", message: user(text), ...fields };
}

export async function collect<Value>(values: AsyncIterable<Value>): Promise<readonly Value[]> {
  const all: Value[] = [];
  for await (const value of values) all.push(value);
  return all;
}

/** A new session of which the given function writes the conversation; closed, its id is returned. */
export async function written(
  repository: SessionRepository,
  write: (context: Context) => void,
  options: {
    readonly id?: string;
    readonly created?: number;
    readonly cwd?: string;
    readonly settings?: JsonObject;
  } = {},
): Promise<string> {
  const store = await repository.create(options);
  const context = await Context.open({ store });
  write(context);
  await context.close();
  return store.info.id;
}

/** Opens a session, hands its conversation over, closes it. */
export async function reopened<Value>(
  repository: SessionRepository,
  id: string,
  look: (context: Context, store: StoredSession) => Value | Promise<Value>,
): Promise<Value> {
  const store = await repository.open(id);
  const context = await Context.open({ store });
  try {
    return await look(context, store);
  } finally {
    await context.close();
  }
}

export function textsOf(context: Context): readonly string[] {
  return context.items().map(textOf);
}

function textOf(item: ContextItem): string {
  return isMessage(item) ? contentText(item) : item.type;
}

export async function withStore<Value>(
  repository: SessionRepository,
  use: (store: StoredSession) => Promise<Value>,
): Promise<Value> {
  const store = await repository.create();
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

export async function entriesIn(store: SessionStore): Promise<readonly SessionEntry[]> {
  return collect(store.read());
}

export async function storedEntries(
  repository: SessionRepository,
  id: string,
): Promise<readonly SessionEntry[]> {
  const store = await repository.open(id, { readonly: true });
  try {
    return await entriesIn(store);
  } finally {
    await store.close();
  }
}
