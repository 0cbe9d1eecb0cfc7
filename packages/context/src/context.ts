import { ContextError, malformed } from "./context-error.js";
import { frozenCopy } from "./json/frozen-copy.js";
import { messageHasContent } from "./message/content.js";
import { isMessage, isRecord } from "./message/guard.js";
import { isMergeable } from "./message/merge.js";
import { checkPairing } from "./message/pairing.js";
import { rebuildItem } from "./message/rebuild.js";
import { validateItem } from "./message/validate.js";
import { type AssistantMessage, type Block, type ContextItem, type Message, MessageType } from "./message.js";
import type { SessionEntry } from "./session/entry.js";
import { entriesOf } from "./session/projection.js";
import { Session } from "./session/session.js";
import type { SessionStore } from "./session/store.js";
import type { Clock, Randomness } from "./session/uuid.js";

export interface ContextOptions {
  /** Default: a new UUIDv7. */
  readonly id?: string;
  /** What the context starts with; calls without a result are allowed here. */
  readonly items?: readonly ContextItem[];
  /** What the store holds already; `Context.open` fills it in. */
  readonly entries?: readonly SessionEntry[];
  /** Default: nothing is kept beyond this object. */
  readonly store?: SessionStore;
  /** Epoch milliseconds. Default: the system's clock. */
  readonly now?: Clock;
  /** Default: the platform's `crypto`. */
  readonly random?: Randomness;
}

export interface AppendOptions {
  /** False keeps the message apart from the one before it. */
  readonly merge?: boolean;
}

/** A conversation: an ordered list of messages and records, addressed by position. Reads are frozen, mutators synchronous; `flush` commits. */
export class Context implements Iterable<ContextItem> {
  readonly id: string;
  readonly #session: Session;
  #items: readonly ContextItem[] | undefined;
  #messages: readonly Message[] | undefined;

  constructor(options: ContextOptions = {}) {
    const { items = [], entries = [], store } = options;
    const now = options.now ?? Date.now;
    const random = options.random ?? ((bytes) => crypto.getRandomValues(bytes));
    this.#session = new Session({ store, entries, now, random });
    this.id = options.id ?? this.#session.newId();
    items.forEach((item, index) => {
      this.#add(item, `context[${index}]`, {});
    });
  }

  /** A context over what the store holds. Its messages count as part of a request. */
  static async open(options: ContextOptions & { readonly store: SessionStore }): Promise<Context> {
    return new Context({ ...options, entries: await options.store.load() });
  }

  get length(): number {
    return this.#session.shown.items.length;
  }

  /** Negative positions count from the end. */
  at(position: number): ContextItem | undefined {
    return this.#session.shown.items.at(position);
  }

  /** A frozen snapshot; the same array until something changes. */
  items(): readonly ContextItem[] {
    this.#items ??= Object.freeze([...this.#session.shown.items]);
    return this.#items;
  }

  /** The items without the records; frozen, and the same array until something changes. */
  messages(): readonly Message[] {
    this.#messages ??= Object.freeze(this.items().filter(isMessage));
    return this.#messages;
  }

  blockAt(position: number, blockPosition: number): Block | undefined {
    const item = this.at(position);
    return isMessage(item) ? item.content.at(blockPosition) : undefined;
  }

  /**
   * Adds a message, which merges into an unsealed last one of its kind, or a record. Returns the position where it stands.
   * Throws kind `malformed` for what is no item or has no content, kind `usage` for a tool result without an open call.
   */
  append(item: ContextItem, options: AppendOptions = {}): number {
    return this.#add(item, `context[${this.length}]`, { ...options, paired: true });
  }

  /** Puts an item before all others. */
  prepend(item: ContextItem): void {
    const own = frozenCopy(validateItem(item, "context[0]"), "context[0]");
    this.#session.grow({ kind: "prepend", item: own });
    this.#forget();
  }

  /** Replaces an item; of a message only the known fields are kept. */
  edit(position: number, item: ContextItem): void {
    const index = this.#index(position);
    const at = `context[${index}]`;
    const own = frozenCopy(rebuildItem(validateItem(item, at)), at);
    this.#session.grow({ kind: "edit", targets: this.#idsAt(index), item: own });
    this.#forget();
  }

  editBlock(position: number, blockPosition: number, block: Block): void {
    const index = this.#index(position);
    const item = this.at(index);
    const count = isMessage(item) ? item.content.length : 0;
    const at = blockPosition < 0 ? count + blockPosition : blockPosition;
    if (!isMessage(item) || !Number.isInteger(at) || at < 0 || at >= count) {
      throw outside(`context[${index}]`, blockPosition, `${count} blocks`);
    }
    this.edit(index, { ...item, content: item.content.with(at, block) });
  }

  /** Drops the last item and returns it. */
  pop(): ContextItem | undefined {
    const last = this.at(-1);
    if (last !== undefined) this.rollback(-1);
    return last;
  }

  remove(positions: readonly number[]): void {
    const targets = [...new Set(positions.map((position) => this.#index(position)))].flatMap((index) =>
      this.#idsAt(index),
    );
    if (targets.length === 0) return;
    this.#session.grow({ kind: "remove", targets });
    this.#forget();
  }

  /** Drops the item at this position and all after it. */
  rollback(position: number): void {
    this.#session.cut(this.#index(position));
    this.#forget();
  }

  /** Withdraws the last message if a failed response left its error there; returns it. */
  errorPop(): AssistantMessage | undefined {
    const last = this.at(-1);
    if (!isMessage(last) || last.type !== MessageType.assistant || last.error === undefined) return undefined;
    this.rollback(-1);
    return last;
  }

  /** Makes several changes one step of undo. When `change` returns false or throws, all are taken back. */
  update(change: (context: this) => boolean): boolean {
    try {
      return this.#session.batch(() => change(this));
    } finally {
      this.#forget();
    }
  }

  /** Takes the last change back; false when there is none. */
  undo(): boolean {
    this.#forget();
    return this.#session.travel("undo");
  }

  redo(): boolean {
    this.#forget();
    return this.#session.travel("redo");
  }

  /** Marks everything here as part of a request: nothing merges into it any more. */
  seal(): void {
    this.#session.seal();
  }

  /** Commits what changed. Rejects with kind `storage` when the store refuses; the context then takes no more changes. */
  flush(): Promise<void> {
    return this.#session.flush();
  }

  /** Flushes and closes the store; later changes throw kind `closed`. */
  close(): Promise<void> {
    return this.#session.close();
  }

  [Symbol.iterator](): IterableIterator<ContextItem> {
    return this.items()[Symbol.iterator]();
  }

  toJSON(): readonly ContextItem[] {
    return this.items();
  }

  #add(item: ContextItem, at: string, options: AppendOptions & { readonly paired?: boolean }): number {
    const own = frozenCopy(validateItem(item, at), at);
    this.#session.checkWritable();
    if (isRecord(own)) this.#session.grow({ kind: "record", record: own });
    else this.#addMessage(own, at, options);
    this.#forget();
    return this.length - 1;
  }

  #addMessage(message: Message, at: string, options: AppendOptions & { readonly paired?: boolean }): void {
    const { items } = this.#session.shown;
    if (message.type === MessageType.toolResult && options.paired === true) checkPairing(items, message);
    const fits = isMergeable(items.at(-1), message);
    const mayMerge = options.merge !== false && !this.#session.isSealed(items.length - 1);
    if (isEmpty(message)) {
      if (mayMerge && fits) return;
      throw malformed(`${at}.content`, "expected a block with a payload; an empty message says nothing");
    }
    this.#session.grow(
      fits && !mayMerge ? { kind: "message", message, merge: false } : { kind: "message", message },
    );
  }

  #forget(): void {
    this.#items = undefined;
    this.#messages = undefined;
  }

  #idsAt(index: number): readonly string[] {
    const source = this.#session.shown.sources[index];
    return source === undefined ? [] : entriesOf(source).map(({ id }) => id);
  }

  #index(position: number): number {
    const { length } = this;
    const index = position < 0 ? length + position : position;
    if (Number.isInteger(index) && index >= 0 && index < length) return index;
    throw outside("context", position, `${length} items`);
  }
}

/** A tool that had nothing to say, and a response that failed or was cancelled before its first word, are messages all the same. */
function isEmpty(message: Message): boolean {
  if (message.type === MessageType.toolResult) return false;
  if (message.error !== undefined || message.incomplete === true) return false;
  return !messageHasContent(message);
}

function outside(what: string, position: number, size: string): ContextError<"usage"> {
  const problem = `${what}: position ${position} is outside; it has ${size}`;
  return new ContextError("usage", problem, { argument: "position" });
}
