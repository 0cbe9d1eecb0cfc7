import { ContextError } from "../context-error.js";
import type { SessionEntry } from "./entry.js";
import type { CommitOptions, SessionStore } from "./store.js";

/** Hands entries to a store, in order and one batch at a time. States: open, failed (for good), closed. */
export class SessionWriter {
  readonly #store: SessionStore | undefined;
  #pending: SessionEntry[] = [];
  #commit: Promise<void> = Promise.resolve();
  #failure: ContextError<"storage"> | undefined;
  #closing: Promise<void> | undefined;

  constructor(store: SessionStore | undefined) {
    this.#store = store;
  }

  get stored(): boolean {
    return this.#store !== undefined;
  }

  /** Throws kind `storage` after a failed commit, kind `closed` after `close`. */
  checkWritable(): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#closing !== undefined)
      throw new ContextError("closed", "this context is closed; open it again", {});
  }

  push(entry: SessionEntry): void {
    if (this.#store !== undefined) this.#pending.push(entry);
  }

  /** Resolves when everything pushed so far is safe. */
  flush(options: CommitOptions = {}): Promise<void> {
    const store = this.#store;
    if (store === undefined) return this.#commit;
    this.#commit = this.#commit.then(() => this.#commitTo(store, options));
    return this.#commit;
  }

  /** Flushes, then closes the store even if the flush failed. */
  close(): Promise<void> {
    this.#closing ??= this.flush().finally(() => this.#store?.close());
    return this.#closing;
  }

  async #commitTo(store: SessionStore, options: CommitOptions): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#pending.length === 0 && options.durable !== true) return;
    const batch = this.#pending;
    this.#pending = [];
    try {
      await store.append(batch, options);
    } catch (cause) {
      const unsaved = batch.length + this.#pending.length;
      const text = `the session store did not take ${unsaved} entries (${reasonOf(cause)}); the context takes no more changes`;
      this.#failure = new ContextError("storage", text, { unsaved }, { cause });
      throw this.#failure;
    }
  }
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
