import { ContextError } from "./context-error.js";
import type {
  AppendOptions,
  BranchSummary,
  Compaction,
  ContextOptions,
  OpenContextOptions,
} from "./context-options.js";
import { frozenCopy } from "./json/frozen-copy.js";
import type { JsonValue } from "./json.js";
import { messageHasContent } from "./message/content.js";
import { isFailedAnswer, isMessage, isToolResultMessage } from "./message/guard.js";
import { OpenCalls } from "./message/pairing.js";
import { rebuildItem } from "./message/rebuild.js";
import { standApart } from "./message/stand-apart.js";
import { validateItem, validateMessage } from "./message/validate.js";
import type { AssistantMessage, Block, ContextItem, Message } from "./message.js";
import { appendItem, emptyMessage } from "./session/append-item.js";
import type { BranchQuery } from "./session/branch-query.js";
import { checkJournalEvent } from "./session/check-journal-event.js";
import { cutPositions } from "./session/compaction.js";
import { MAIN_LANE, type PathEntry } from "./session/entry.js";
import type { SessionStats } from "./session/facts.js";
import type { JournalEvent } from "./session/journal.js";
import type { JournalState } from "./session/journal-state.js";
import { loadLog } from "./session/load-log.js";
import { entriesOf } from "./session/projection.js";
import { type ResumePlan, resumePlan } from "./session/resume-plan.js";
import { Session, type SessionOptions } from "./session/session.js";
import type { SessionLog } from "./session/session-log.js";
import type { CommitOptions } from "./session/store.js";
import { systemRandomness } from "./session/uuid.js";

/** Shared: there may be many contexts that begin with nothing. */
const NOTHING: readonly never[] = Object.freeze([]);

/** What `Context.open` has read, on its way to the constructor. */
const loadedLogs = new WeakMap<ContextOptions, SessionLog>();

/** A session whose entries nobody needed yet: a conversation that is only held costs no more than its items. */
interface Beginning extends SessionOptions {
  readonly items: readonly ContextItem[];
}

/** A conversation: an ordered list of messages and records, addressed by position. Reads are frozen, mutators synchronous; `flush` commits. */
export class Context implements Iterable<ContextItem> {
  #id: string | undefined;
  #state: Session | Beginning;
  #openCalls: OpenCalls | undefined;
  #items: readonly ContextItem[] | undefined;
  #messages: readonly Message[] | undefined;

  constructor(options: ContextOptions = {}) {
    const {
      id,
      items = NOTHING,
      entries = NOTHING,
      store,
      now = Date.now,
      random = systemRandomness,
    } = options;
    const log = loadedLogs.get(options);
    this.#id = id;
    const own = Object.freeze(items.map((item, index) => ownItem(item, `context[${index}]`)));
    this.#state = { items: own, store, entries, log, now, random };
    if (log !== undefined || entries.length > 0 || !standApart(own)) this.#begin(this.#state);
    else this.#items = own;
  }

  /** Unless it was given, a UUIDv7 older than the entries. */
  get id(): string {
    this.#id ??= this.#session.newId();
    return this.#id;
  }

  /** A context over what the store holds. Its messages count as part of a request. */
  static async open({ lane = MAIN_LANE, whole = false, ...options }: OpenContextOptions): Promise<Context> {
    const log = await loadLog(options.store, { lane, whole });
    const id = "info" in options.store ? options.store.info.id : undefined;
    const own: ContextOptions = id === undefined ? options : { id, ...options };
    loadedLogs.set(own, log);
    return new Context(own);
  }

  /** Does a store keep what is flushed? */
  get stored(): boolean {
    return this.#state instanceof Session ? this.#state.stored : this.#state.store !== undefined;
  }

  get length(): number {
    return this.#shown.length;
  }

  /** Negative positions count from the end. */
  at(position: number): ContextItem | undefined {
    return this.#shown.at(position);
  }

  /** A frozen snapshot; the same array until something changes. */
  items(): readonly ContextItem[] {
    this.#items ??= Object.freeze([...this.#shown]);
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
    const at = `context[${this.length}]`;
    const own = ownItem(item, at);
    const session = this.#session;
    session.checkWritable();
    if (isToolResultMessage(own)) {
      this.#openCalls ??= new OpenCalls();
      this.#openCalls.check(this.#shown, own);
    }
    appendItem(session, own, at, options);
    this.#forgetViews();
    return this.length - 1;
  }

  /** Puts an item before all others. */
  prepend(item: ContextItem): void {
    this.#session.grow({ kind: "prepend", item: ownItem(item, "context[0]") });
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

  /** Withdraws the last message if a failed response left its error there; returns it. Records behind it stay. */
  errorPop(): AssistantMessage | undefined {
    const position = this.#shown.findLastIndex(isMessage);
    const last = this.at(position);
    if (position < 0 || !isFailedAnswer(last)) return undefined;
    if (position === this.length - 1) this.rollback(position);
    else this.remove([position]);
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

  /**
   * Shows a summary in the place of what stands before `firstKept`; system messages at the head stay. Throws kind
   * `usage` where that would part a call from its result; `cutPositions` has the places that do not.
   */
  compact({ firstKept, summary, details }: Compaction): void {
    const cut = firstKept === this.length ? firstKept : this.#index(firstKept);
    if (!cutPositions(this.items()).includes(cut)) {
      const problem = `firstKept: a cut at position ${cut} would part a call from its result or summarise a head`;
      throw new ContextError("usage", problem, { argument: "firstKept" });
    }
    const message = this.#ownMessage(summary, "summary");
    this.#session.grow({
      kind: "compaction",
      firstKept: this.#idsAt(cut)[0] ?? null,
      summary: message,
      ...this.#ownDetails(details),
    });
    this.#forget();
  }

  /** Adds what happened on a branch that was left. Returns its position. */
  addBranchSummary({ from, message, details }: BranchSummary): number {
    const own = this.#ownMessage(message, "message");
    this.#session.grow({ kind: "summary", from, message: own, ...this.#ownDetails(details) });
    this.#forget();
    return this.length - 1;
  }

  /** Keeps data of a host or an extension at this place of the branch; it shows nothing. */
  addCustom(name: string, data: JsonValue): void {
    this.#session.grow({ kind: "custom", name, data: frozenCopy(data, "data") });
  }

  /** The session's name; undefined when it has none. */
  get name(): string | undefined {
    return this.#session.log.facts.name;
  }

  /** Null takes the name away. */
  rename(name: string | null): void {
    this.#session.note({ kind: "name", name: name === null ? null : frozenCopy(name, "name") });
  }

  /** Labels by entry id. */
  get labels(): ReadonlyMap<string, string> {
    return this.#session.log.facts.labels;
  }

  /** Names the item at a position for people; null takes the label away. */
  label(position: number, text: string | null): void {
    const [target] = this.#idsAt(this.#index(position));
    if (target === undefined) return;
    this.#session.note({ kind: "label", target, text: text === null ? null : frozenCopy(text, "text") });
  }

  /** What the session has come to, over all its branches and lives. */
  get stats(): SessionStats {
    return this.#session.log.facts.stats;
  }

  /** Lanes by name, each with the entry it ends in; null is the root. */
  get lanes(): ReadonlyMap<string, string | null> {
    return this.#session.log.tree.lanes;
  }

  /** Makes another lane, or moves it to this entry. Lanes are for good. */
  moveLane(lane: string, to: string | null): void {
    this.#session.moveLane(lane, to);
  }

  /** The entry that the next one grows from; null at the root. */
  get leaf(): string | null {
    return this.#session.log.tree.leaf;
  }

  /** Goes to another branch: the next entry grows from this one. Undo goes back. */
  moveTo(id: string | null): void {
    this.#session.moveTo(id);
    this.#forget();
  }

  /** The entries of a branch, newest first. Throws kind `usage` for a query that makes no sense. */
  entries(query: BranchQuery = {}): readonly PathEntry[] {
    return this.#session.query(query);
  }

  /** Notes what the session does. Throws kind `malformed` for no event, kind `usage` for one that cannot come next. */
  journal(event: JournalEvent): void {
    const own = frozenCopy(checkJournalEvent(event, "event"), "event");
    const problem = this.#session.log.journal.problemOf(own);
    if (problem !== undefined) throw new ContextError("usage", problem.message, { argument: "event" });
    this.#session.note({ kind: "journal", event: own });
  }

  /** What was going on when the journal ends, and what in it is corrupt. */
  get journalState(): JournalState {
    return this.#session.log.journal.state;
  }

  /** What to do with the calls that are open, given what each tool declares today. Writes nothing. */
  resumePlan(replayOf: (name: string) => "never" | "safe" | undefined): ResumePlan {
    return resumePlan({ items: this.items(), open: this.journalState.open, replayOf });
  }

  /** Commits what changed. Rejects with kind `storage` when the store refuses; the context then takes no more changes. */
  flush(options?: CommitOptions): Promise<void> {
    return this.#session.flush(options);
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

  get #session(): Session {
    return this.#state instanceof Session ? this.#state : this.#begin(this.#state);
  }

  get #shown(): readonly ContextItem[] {
    return this.#state instanceof Session ? this.#state.shown.items : this.#state.items;
  }

  /** Makes the entries of what the context starts with. */
  #begin({ items, ...options }: Beginning): Session {
    const session = new Session(options);
    this.#state = session;
    this.#id ??= session.newId();
    items.forEach((item, index) => {
      appendItem(session, item, `context[${index}]`);
    });
    return session;
  }

  #forget(): void {
    this.#forgetViews();
    this.#openCalls = undefined;
  }

  #forgetViews(): void {
    this.#items = undefined;
    this.#messages = undefined;
  }

  #ownMessage(message: Message, at: string): Message {
    const own = frozenCopy(validateMessage(message, at), at);
    if (messageHasContent(own)) return own;
    throw emptyMessage(at);
  }

  #ownDetails(details: JsonValue | undefined): { readonly details?: JsonValue } {
    return details === undefined ? {} : { details: frozenCopy(details, "details") };
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

function ownItem(item: ContextItem, at: string): ContextItem {
  return frozenCopy(validateItem(item, at), at);
}

function outside(what: string, position: number, size: string): ContextError<"usage"> {
  const problem = `${what}: position ${position} is outside; it has ${size}`;
  return new ContextError("usage", problem, { argument: "position" });
}
