// @ashlar/session-jsonl
//   JsonlRepository
//   JsonlRepositoryOptions
//   LockTimes
//   RepairReport
//   Sync
//   createJsonlRepository

interface JsonlRepository extends SessionRepository {
    readonly repair: (id: string) => Promise<RepairReport>;
}
interface JsonlRepositoryOptions {
    readonly folder: string;
    readonly sync?: Sync;
    readonly lock?: Partial<LockTimes>;
}
interface LockTimes {
    readonly heartbeatMs: number;
    readonly staleMs: number;
}
interface RepairReport {
    readonly entries: number;
    readonly damage: readonly SessionDamage[];
    readonly backup: string;
}
type Sync = "durable" | "always" | "never";
function createJsonlRepository(options: JsonlRepositoryOptions): JsonlRepository;
