export type { DriverName } from "./driver/driver.js";
export type { LockTimes } from "./session/hold.js";
export {
  createSqliteRepository,
  type SqliteRepository,
  type SqliteRepositoryOptions,
} from "./sqlite-repository.js";
export type { CheckedSession, CheckReport } from "./upkeep/check.js";
export type { RepairReport } from "./upkeep/repair.js";
