import {
  Context,
  isContextError,
  isPathEntry,
  isSessionError,
  MAIN_LANE,
  type PathEntry,
  type SessionEntry,
  type StoredSession,
} from "@ashlar/context";
import { type EntryNames, suiteId } from "./suite-entry.js";
import { SuiteError } from "./suite-shapes.js";

/** Our kinds of failure by the suite's codes. */
const CODES: Readonly<Record<string, string>> = {
  malformed: "invalid_payload",
  usage: "invalid_query",
  exists: "already_exists",
  missing: "not_found",
};

/** Does the work and tells a failure of ours by the suite's code. */
export async function inSuiteCodes<Value>(
  work: () => Value | Promise<Value>,
  codes: Readonly<Record<string, string>> = {},
): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (!isContextError(error) && !isSessionError(error)) throw error;
    throw new SuiteError({ ...CODES, ...codes }[error.kind] ?? error.kind, error);
  }
}

/** What one call sees: all of it read from the store for this call. */
export interface Turn {
  readonly store: StoredSession;
  readonly log: readonly SessionEntry[];
  readonly grown: readonly PathEntry[];
  /** The suite's names by our ids. */
  readonly names: EntryNames;
  readonly context: Context;
  /** Our id by the suite's name. Fails with `not_found`. */
  readonly idOf: (name: string) => string;
}

/** Gives one call after another the session; nothing is remembered from call to call. */
export class StoreTurns {
  readonly store: StoredSession;
  #last: Promise<unknown> = Promise.resolve();

  constructor(store: StoredSession) {
    this.store = store;
  }

  /** `work` may change the context; that is committed before the call ends. */
  take<Value>(work: (turn: Turn) => Value | Promise<Value>, lane: string = MAIN_LANE): Promise<Value> {
    const turn = this.#last.then(() =>
      inSuiteCodes(async () => {
        const open = await this.#open(lane);
        const value = await work(open);
        await open.context.flush();
        return value;
      }),
    );
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #open(lane: string): Promise<Turn> {
    const { store } = this;
    const log = await store.load();
    const grown = log.filter(isPathEntry);
    const names = new Map(grown.map((entry) => [entry.id, suiteId(entry)]));
    const context = await Context.open({ store, lane, whole: true });
    const idOf = (name: string): string => {
      const found = grown.find((entry) => suiteId(entry) === name);
      if (found === undefined) throw new SuiteError("not_found", `no entry ${name}`);
      return found.id;
    };
    return { store, log, grown, names, context, idOf };
  }
}
