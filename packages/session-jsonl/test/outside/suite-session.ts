import {
  type BranchQuery,
  checkLogQuery,
  type LogQuery,
  MAIN_LANE,
  SessionFacts,
  type SessionInfo,
  type StoredSession,
} from "@ashlar/context";
import { StoreTurns, type Turn } from "./store-turns.js";
import { grow, kindOf, logItem, nameOf, suiteEntry, suiteId } from "./suite-entry.js";
import { appendRecord, findRecords, openOperations } from "./suite-journal.js";
import {
  type SuiteDraft,
  type SuiteEntry,
  type SuiteEntryQuery,
  SuiteError,
  type SuiteLogItem,
  type SuiteMetadata,
  type SuiteRecord,
  type SuiteRecordQuery,
  type SuiteStats,
} from "./suite-shapes.js";

export function suiteMetadata({ id, created, parent }: SessionInfo): SuiteMetadata {
  return { id, createdAt: created, ...(parent !== undefined && { parentSessionId: parent.session }) };
}

/** One lane of a session of ours, by the names of the suite. */
export class SuiteView {
  readonly #turns: StoreTurns;
  readonly #lane: string;

  constructor(store: StoredSession | StoreTurns, lane: string = MAIN_LANE) {
    this.#turns = store instanceof StoreTurns ? store : new StoreTurns(store);
    this.#lane = lane;
  }

  view(lane: string): SuiteView {
    return new SuiteView(this.#turns, lane);
  }

  async getMetadata(): Promise<SuiteMetadata> {
    return suiteMetadata(this.#turns.store.info);
  }

  getLanes(): Promise<{ lane: string; leafId: string | null }[]> {
    return this.#turns.take(({ context, names }) => {
      // The suite looks for `main` first; ours are a map.
      const lanes = new Map([[MAIN_LANE, null], ...context.lanes]);
      return [...lanes].map(([lane, leaf]) => ({ lane, leafId: nameOf(leaf, names) }));
    });
  }

  createLane(lane: string, at: string | null): Promise<void> {
    return this.#turns.take(({ context, idOf }) => {
      if (context.lanes.has(lane)) throw new SuiteError("already_exists", `lane ${lane}`);
      context.moveLane(lane, at === null ? null : idOf(at));
    });
  }

  moveLane(lane: string, to: string | null): Promise<void> {
    return this.#turns.take(({ context, idOf }) => {
      if (!context.lanes.has(lane)) throw new SuiteError("invalid_lane", `lane ${lane}`);
      const target = to === null ? null : idOf(to);
      if (lane === MAIN_LANE) context.moveTo(target);
      else context.moveLane(lane, target);
    });
  }

  getLeafId(): Promise<string | null> {
    return this.#turns.take(({ context, names }) => nameOf(context.leaf, names), this.#lane);
  }

  async appendEntry(draft: SuiteDraft, lane: string): Promise<SuiteEntry> {
    const place = await this.#turns.take(({ context }) => {
      grow(context, draft);
      return context.leaf;
    }, lane);
    return this.#turns.take(({ grown, names }) => {
      const entry = grown.find(({ id }) => id === place);
      if (entry === undefined) throw new SuiteError("lost", "what was appended is not there");
      return suiteEntry(entry, names);
    });
  }

  async appendMessage(message: unknown): Promise<string> {
    return (await this.appendEntry({ type: "message", message }, this.#lane)).id;
  }

  async appendCustomEntry(customType: string, data?: unknown): Promise<string> {
    const rest = data === undefined ? {} : { data };
    return (await this.appendEntry({ type: "custom", customType, ...rest }, this.#lane)).id;
  }

  appendRecord(record: Readonly<Record<string, unknown>>): Promise<SuiteRecord> {
    return this.#turns.take((turn) => appendRecord(turn, record));
  }

  findRecords(query: SuiteRecordQuery = {}): Promise<SuiteRecord[]> {
    return this.#turns.take((turn) => findRecords(turn, query));
  }

  findOpenOperations(lane: string, { limit }: { readonly limit?: number } = {}): Promise<SuiteRecord[]> {
    return this.#turns.take((turn) => {
      checkLogQuery(bounds(limit));
      return openOperations(turn, lane);
    });
  }

  getLog({
    afterSeq,
    limit,
  }: {
    readonly afterSeq?: number;
    readonly limit?: number;
  } = {}): Promise<SuiteLogItem[]> {
    return this.#turns.take(async ({ store, names }) => {
      const items: SuiteLogItem[] = [];
      for await (const entry of store.read(bounds(limit, afterSeq))) items.push(logItem(entry, names));
      return items;
    });
  }

  getEntry(id: string): Promise<SuiteEntry | undefined> {
    return this.#turns.take(({ grown, names }) => {
      const entry = grown.find((each) => suiteId(each) === id);
      return entry && suiteEntry(entry, names);
    });
  }

  findEntries({ type, customType, order, limit, cursor }: SuiteEntryQuery = {}): Promise<SuiteEntry[]> {
    return this.#turns.take(({ grown, names }) => {
      checkLogQuery(bounds(limit, cursor?.afterSeq));
      const isOldest = order === "oldestFirst";
      const { afterSeq = isOldest ? 0 : Number.POSITIVE_INFINITY } = cursor ?? {};
      const found = grown
        .filter(({ seq }) => (isOldest ? seq > afterSeq : seq < afterSeq))
        .map((entry) => suiteEntry(entry, names))
        .filter((entry) => type === undefined || entry.type === type)
        .filter((entry) => customType === undefined || Object(entry).customType === customType);
      return (isOldest ? found : found.reverse()).slice(0, limit);
    });
  }

  async findEntry(query?: SuiteEntryQuery): Promise<SuiteEntry | undefined> {
    return (await this.findEntries(query))[0];
  }

  findEntriesOnBranch(query: SuiteEntryQuery = {}): Promise<SuiteEntry[]> {
    return this.#turns.take((turn) => {
      checkLogQuery(bounds(undefined, query.cursor?.afterSeq));
      return turn.context.entries(branchQuery(query, turn)).map((entry) => suiteEntry(entry, turn.names));
    }, this.#lane);
  }

  async findEntryOnBranch(query?: SuiteEntryQuery): Promise<SuiteEntry | undefined> {
    return (await this.findEntriesOnBranch(query))[0];
  }

  getName(): Promise<string | undefined> {
    return this.#turns.take(({ context }) => context.name);
  }

  setName(name: string | undefined): Promise<void> {
    return this.#turns.take(({ context }) => context.rename(name ?? null));
  }

  getLabel(id: string): Promise<string | undefined> {
    return this.#turns.take(({ context, names }) => {
      const label = [...context.labels].find(([target]) => nameOf(target, names) === id);
      return label?.[1];
    });
  }

  /** Through a lane that shows the entry: labels are given by position. */
  async setLabel(id: string, label: string | undefined): Promise<void> {
    for (const { lane } of await this.getLanes()) {
      const isSet = await this.#turns.take(({ context }) => {
        const messages = context.entries({ kinds: ["message"], order: "oldest" });
        const position = messages.findIndex((entry) => suiteId(entry) === id);
        if (position >= 0) context.label(position, label ?? null);
        return position >= 0;
      }, lane);
      if (isSet) return;
    }
    throw new SuiteError("not_found", `no entry ${id}`);
  }

  getStats(): Promise<SuiteStats> {
    return this.#turns.take(({ log }) => {
      const facts = new SessionFacts();
      for (const entry of log) facts.apply(entry);
      const { messages, usage } = facts.stats;
      const { inputTokens, outputTokens, cachedInputTokens = 0, cost = 0 } = usage;
      return {
        messageCount: messages,
        cachedTokens: cachedInputTokens,
        uncachedTokens: inputTokens - cachedInputTokens,
        totalTokens: inputTokens + outputTokens,
        costTotal: cost,
      };
    });
  }
}

function bounds(limit?: number, afterSeq?: number): LogQuery {
  return { ...(limit !== undefined && { limit }), ...(afterSeq !== undefined && { afterSeq }) };
}

function branchQuery(query: SuiteEntryQuery, { context, idOf }: Turn): BranchQuery {
  const { start, type, customType, order, limit, cursor, stopAtId, stopAtType } = query;
  const after = cursor && context.entries().find(({ seq }) => seq === cursor.afterSeq);
  return {
    order: order === "oldestFirst" ? "oldest" : "newest",
    ...(start !== undefined && { from: idOf(start) }),
    ...(type !== undefined && { kinds: [kindOf(type)] }),
    ...(customType !== undefined && { customName: customType }),
    ...(stopAtId !== undefined && { stopAt: idOf(stopAtId) }),
    ...(stopAtType !== undefined && { stopAtKind: kindOf(stopAtType) }),
    ...(after !== undefined && { after: after.id }),
    ...(limit !== undefined && { limit }),
  };
}
