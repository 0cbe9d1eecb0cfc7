import { MAIN_LANE, type SessionEntry } from "./entry.js";
import { SessionFacts } from "./facts.js";
import { JournalReducer } from "./journal-state.js";
import { SessionTree } from "./tree.js";

/** Everything that a session's entries say: the tree, the facts and the journal. */
export class SessionLog {
  readonly lane: string;
  readonly tree: SessionTree;
  readonly facts: SessionFacts = new SessionFacts();
  readonly journal: JournalReducer = new JournalReducer();

  constructor(lane: string = MAIN_LANE) {
    this.lane = lane;
    this.tree = new SessionTree(lane);
  }

  /** Throws kind `malformed` for an entry that does not continue the tree. */
  add(entry: SessionEntry): void {
    this.tree.add(entry);
    this.facts.apply(entry);
    this.journal.apply(entry);
  }

  /** Takes an entry of the past; what only an earlier compaction's past needs is let go. */
  addLean(entry: SessionEntry): void {
    this.add(entry);
    if (entry.kind === "compaction" && (entry.lane ?? MAIN_LANE) === this.lane) this.tree.begin();
  }
}
