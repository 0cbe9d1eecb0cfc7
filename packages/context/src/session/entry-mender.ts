import { isObject } from "../json.js";
import { checkEntry } from "./check-entry.js";
import { isPathEntry, MAIN_LANE, type SessionEntry } from "./entry.js";
import { KnownIds } from "./known-ids.js";
import type { DamageReason, SessionDamage } from "./store.js";

/** How many entries wait for a missing one before it counts as lost. */
const WINDOW = 256;

interface Placed {
  readonly entry: SessionEntry;
  readonly at: () => string;
}

/**
 * Turns what was found in a store into entries that continue each other, whatever happened to them: one pass, in the
 * order they were found, with a bounded look ahead. Everything that had to be mended is reported, nothing is invented.
 */
export class EntryMender {
  readonly #report: (damage: SessionDamage) => void;
  /** Path entries that were given. */
  readonly #ids = new KnownIds();
  /** Entries beside the paths that were given, with the path entry they stand at. */
  readonly #beside = new Map<string, string | null>();
  /** Where a lost entry that could still be read grew from. */
  readonly #lost = new Map<string, string | null>();
  readonly #leaves = new Map<string, string | null>();
  #waiting: Placed[] = [];
  /** What the newest entry was given as. */
  #seq = 0;
  /** The highest number that was found. */
  #highest = 0;

  constructor(report: (damage: SessionDamage) => void) {
    this.#report = report;
  }

  /** Takes a value as it was stored, `at` its place; returns the entries that are now known to be next. */
  add(value: unknown, at: () => string): readonly SessionEntry[] {
    const entry = this.#checked(value, at);
    if (entry === undefined) return [];
    if (entry.seq === this.#seq + 1 && this.#waiting.length === 0) return this.#release({ entry, at });
    if (entry.seq <= this.#seq) {
      // Numbers that an earlier latecomer took are not this entry's fault.
      if (entry.seq <= this.#highest)
        this.#tell("disorder", at, "the entry stands behind later ones; it was read as if it came last");
      return this.#release({ entry, at });
    }
    this.#wait({ entry, at });
    return this.#releaseWaiting(WINDOW);
  }

  /** The entries that waited for one that never came. */
  end(): readonly SessionEntry[] {
    return this.#releaseWaiting(0);
  }

  #checked(value: unknown, at: () => string): SessionEntry | undefined {
    const entry = this.#wellShaped(value, at);
    if (entry === undefined) return undefined;
    if (!this.#isKnown(entry.id)) return entry;
    this.#tell("duplicate", at, `the entry ${entry.id} is there a second time; the first one counts`);
    return undefined;
  }

  #wellShaped(value: unknown, at: () => string): SessionEntry | undefined {
    try {
      const entry = checkEntry(value, "entry");
      if (Number.isSafeInteger(entry.seq) && entry.seq > 0) return entry;
      throw new Error(`entry.seq: expected a whole number above 0, got ${entry.seq}`);
    } catch (error) {
      this.#tell(
        "malformed",
        at,
        `${error instanceof Error ? error.message : String(error)}; it was passed over`,
      );
    }
    if (
      isObject(value) &&
      typeof value.id === "string" &&
      (value.parent === null || typeof value.parent === "string")
    ) {
      this.#lost.set(value.id, value.parent);
    }
    return undefined;
  }

  #wait(placed: Placed): void {
    const { seq } = placed.entry;
    const position = this.#waiting.findLastIndex(({ entry }) => entry.seq <= seq);
    this.#waiting.splice(position + 1, 0, placed);
  }

  /** Releases what follows directly, and more as long as more than `limit` entries wait. */
  #releaseWaiting(limit: number): readonly SessionEntry[] {
    const released: SessionEntry[] = [];
    let count = 0;
    for (const placed of this.#waiting) {
      const { seq } = placed.entry;
      if (seq > this.#seq + 1) {
        if (this.#waiting.length - count <= limit) break;
        this.#tell(
          "missing",
          placed.at,
          `${missing(this.#seq + 1, seq - 1)} before this one; what follows was read`,
        );
      }
      count += 1;
      released.push(...this.#release(placed));
    }
    this.#waiting = this.#waiting.slice(count);
    return released;
  }

  #release({ entry: found, at }: Placed): readonly SessionEntry[] {
    this.#highest = Math.max(this.#highest, found.seq);
    const entry = found.seq > this.#seq ? found : { ...found, seq: this.#seq + 1 };
    const lane = entry.lane ?? MAIN_LANE;
    const leaf = this.#leaves.get(lane) ?? null;
    this.#seq = entry.seq;
    if (isPathEntry(entry)) {
      const parent = entry.parent === leaf ? leaf : this.#known(entry.parent, leaf);
      this.#ids.add(entry.id);
      if (parent !== entry.parent)
        this.#tell(
          "orphan",
          at,
          `the entry it grew from is lost; it was read as if it grew from the one before`,
        );
      this.#leaves.set(lane, entry.id);
      return [parent === entry.parent ? entry : { ...entry, parent }];
    }
    if (entry.kind !== "leaf") {
      this.#beside.set(entry.id, leaf);
      return [entry];
    }
    const to = this.#known(entry.to, leaf);
    this.#beside.set(entry.id, to);
    if (to !== entry.to)
      this.#tell("orphan", at, `it moves to an entry that is lost; the move stops at the nearest one`);
    this.#leaves.set(lane, to);
    return [to === entry.to ? entry : { ...entry, to }];
  }

  /** The entry itself when it was read, else the nearest one before it that was, else `leaf`. */
  #known(id: string | null, leaf: string | null): string | null {
    const seen = new Set<string>();
    let current = id;
    while (current !== null && !this.#ids.has(current)) {
      const before = this.#beside.get(current) ?? this.#lost.get(current);
      if (before === undefined || seen.has(current)) return leaf;
      seen.add(current);
      current = before;
    }
    return current;
  }

  #isKnown(id: string): boolean {
    if (this.#ids.has(id) || (this.#beside.size > 0 && this.#beside.has(id))) return true;
    return this.#waiting.length > 0 && this.#waiting.some(({ entry }) => entry.id === id);
  }

  #tell(reason: DamageReason, at: () => string, message: string): void {
    const place = at();
    this.#report({ reason, at: place, message: `${place}: ${message}` });
  }
}

function missing(from: number, to: number): string {
  return from === to ? `the entry ${from} is missing` : `the entries ${from} to ${to} are missing`;
}
