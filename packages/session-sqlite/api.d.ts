// @ashlar/session-sqlite
//   CheckReport
//   CheckedSession
//   DriverName
//   LockTimes
//   RepairReport
//   SqliteRepository
//   SqliteRepositoryOptions
//   createSqliteRepository

interface CheckReport {
    readonly isSound: boolean;
    readonly problems: readonly string[];
    readonly sessions: readonly CheckedSession[];
}
interface CheckedSession {
    readonly id: string;
    readonly entries: number;
    readonly damage: readonly SessionDamage[];
}
type DriverName = "node:sqlite" | "node-sqlite3-wasm";
interface LockTimes {
    readonly heartbeatMs: number;
    readonly staleMs: number;
}
interface RepairReport {
    readonly sessions: number;
    readonly entries: number;
    readonly damage: readonly SessionDamage[];
    readonly backup: string;
}
interface SqliteRepository extends SessionRepository {
    readonly check: () => Promise<CheckReport>;
    readonly repair: () => Promise<RepairReport>;
    readonly updateIndex: (options?: {
        readonly signal?: AbortSignal;
    }) => Promise<void>;
    readonly close: () => Promise<void>;
}
interface SqliteRepositoryOptions {
    readonly folder: string;
    readonly driver?: DriverName;
    readonly lock?: Partial<LockTimes>;
    readonly busyMs?: number;
}
function createSqliteRepository(options: SqliteRepositoryOptions): SqliteRepository;
