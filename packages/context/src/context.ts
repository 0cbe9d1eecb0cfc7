import { ContextError } from "./context-error.js";
import { frozenCopy } from "./json/frozen-copy.js";
import { isMessage } from "./message/guard.js";
import { validateItem } from "./message/validate.js";
import type { Block, ContextItem, Message } from "./message.js";
import type { SessionEntry } from "./session/entry.js";
import type { SessionStore } from "./session/store.js";

export interface ContextOptions {
  /** Default: a new UUIDv7. */
  readonly id?: string;
  readonly items?: readonly ContextItem[];
  /** What the store holds already; `Context.open` loads it. */
  readonly entries?: readonly SessionEntry[];
  readonly store?: SessionStore;
  /** Epoch milliseconds. */
  readonly now?: () => number;
  /** Fills an array with random bytes. */
  readonly random?: (bytes: Uint8Array) => Uint8Array;
}

export interface AppendOptions {
  /** False keeps the message apart from the one before it. */
  readonly merge?: boolean;
}

/** A conversation: an ordered list of messages and records. Reads are frozen; mutators are synchronous; `flush` commits. */
export class Context implements Iterable<ContextItem> {
  readonly id: string;
  #items: ContextItem[] = [];

  constructor(options: ContextOptions = {}) {
    this.id = options.id ?? crypto.randomUUID();
    for (const item of options.items ?? []) this.append(item);
  }

  /** A context over what the store holds. */
  static async open(options: ContextOptions & { readonly store: SessionStore }): Promise<Context> {
    return new Context({ ...options, entries: await options.store.load() });
  }

  get length(): number {
    return this.#items.length;
  }

  /** Negative positions count from the end. */
  at(position: number): ContextItem | undefined {
    return this.#items.at(position);
  }

  items(): readonly ContextItem[] {
    return [...this.#items];
  }

  messages(): readonly Message[] {
    return this.#items.filter(isMessage);
  }

  /** Returns the position where the item now stands. */
  append(item: ContextItem, _options: AppendOptions = {}): number {
    this.#items.push(frozenCopy(validateItem(item, "item"), "item"));
    return this.#items.length - 1;
  }

  prepend(item: ContextItem): void {
    this.#items.unshift(frozenCopy(validateItem(item, "item"), "item"));
  }

  edit(position: number, item: ContextItem): void {
    this.#items[this.#index(position)] = frozenCopy(validateItem(item, "item"), "item");
  }

  editBlock(position: number, blockPosition: number, block: Block): void {
    const item = this.#items[this.#index(position)];
    if (!isMessage(item))
      throw new ContextError("usage", `context[${position}] is a record and has no blocks`, {});
    const content = item.content.with(blockPosition, block);
    this.edit(position, { ...item, content });
  }

  blockAt(position: number, blockPosition: number): Block | undefined {
    const item = this.at(position);
    return isMessage(item) ? item.content.at(blockPosition) : undefined;
  }

  pop(): ContextItem | undefined {
    return this.#items.pop();
  }

  remove(positions: readonly number[]): void {
    const gone = new Set(positions.map((position) => this.#index(position)));
    this.#items = this.#items.filter((_, index) => !gone.has(index));
  }

  /** Drops the item at this position and all after it. */
  rollback(position: number): void {
    this.#items.length = this.#index(position);
  }

  /** Withdraws the last message if it carries an error; returns it. */
  errorPop(): Message | undefined {
    const last = this.at(-1);
    if (!isMessage(last) || last.type !== 3 || last.error === undefined) return undefined;
    this.pop();
    return last;
  }

  /** Runs several mutations as one step of undo. False, or a throw, takes them all back. */
  update(change: (context: this) => boolean): boolean {
    return change(this);
  }

  undo(): boolean {
    return false;
  }

  redo(): boolean {
    return false;
  }

  /** Marks everything here as part of a request: nothing merges into it any more. */
  seal(): void {}

  async flush(): Promise<void> {}

  async close(): Promise<void> {
    await this.flush();
  }

  [Symbol.iterator](): IterableIterator<ContextItem> {
    return this.items()[Symbol.iterator]();
  }

  toJSON(): readonly ContextItem[] {
    return this.items();
  }

  #index(position: number): number {
    const index = position < 0 ? this.length + position : position;
    if (Number.isInteger(index) && index >= 0 && index < this.length) return index;
    throw new ContextError(
      "usage",
      `position ${position} is outside the context, which has ${this.length} items`,
      {
        argument: "position",
      },
    );
  }
}
