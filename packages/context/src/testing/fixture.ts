import type { SessionRepository } from "../session/repository.js";

/** One store under test, over a place that is empty and nobody else's. */
export interface StoreFixture {
  readonly repository: SessionRepository;
  /** Another repository over the same place, as a second process has one. */
  readonly openSecond?: () => Promise<SessionRepository>;
  /**
   * A repository over what `kill -9` at this moment would leave: committed data, and locks whose owner is dead. The
   * first repository is not used after that.
   */
  readonly crash?: () => Promise<SessionRepository>;
  /** Makes what is stored of the entry with this `seq` unreadable. The session is not open. */
  readonly damage?: (session: string, seq: number) => Promise<void>;
  readonly dispose: () => Promise<void>;
}

/** What a case takes of a fixture beside its repository. */
export type StoreNeed = "openSecond" | "crash" | "damage";

export interface StoreConformanceCase {
  readonly name: string;
  /** What goes wrong for people when it is broken. */
  readonly why: string;
  readonly needs?: readonly StoreNeed[];
  /** Rejects with a `StoreFailure` that says what was expected and what came. */
  readonly run: (fixture: StoreFixture) => Promise<void>;
}

/** The needs of a case that a fixture does not serve. */
export function unmetNeeds(
  { needs = [] }: StoreConformanceCase,
  fixture: StoreFixture,
): readonly StoreNeed[] {
  return needs.filter((need) => fixture[need] === undefined);
}
