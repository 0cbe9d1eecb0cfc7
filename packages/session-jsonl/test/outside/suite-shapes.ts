import type { SessionBackendFixture } from "@earendil-works/pi-agent-core/session/testing";

/** Where an entry of ours carries what the suite handed in. */
export const CARRIED = "suite";

/** What the suite works on, by the names that it gives them. */
export type SuiteRepository = SessionBackendFixture["repository"];
export type SuiteSession = Awaited<ReturnType<SuiteRepository["create"]>>;
export type SuiteMetadata = Awaited<ReturnType<SuiteSession["getMetadata"]>>;
export type SuiteEntry = NonNullable<Awaited<ReturnType<SuiteSession["getEntry"]>>>;
export type SuiteLogItem = Awaited<ReturnType<SuiteSession["getLog"]>>[number];
export type SuiteRecord = Extract<SuiteLogItem, { readonly kind: "record" }>["record"];
export type SuiteStats = Awaited<ReturnType<SuiteSession["getStats"]>>;
export type SuiteForkOptions = Parameters<SuiteRepository["fork"]>[1];
export type SuiteEntryQuery = NonNullable<Parameters<SuiteSession["findEntriesOnBranch"]>[0]>;
export type SuiteRecordQuery = NonNullable<Parameters<SuiteSession["findRecords"]>[0]>;

/** An entry as it is handed in: without its place. */
export interface SuiteDraft {
  readonly type: SuiteEntry["type"];
  readonly id?: string;
  readonly [field: string]: unknown;
}

/** A failure by the code that the suite looks at. */
export class SuiteError extends Error {
  readonly code: string;

  constructor(code: string, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.code = code;
  }
}
