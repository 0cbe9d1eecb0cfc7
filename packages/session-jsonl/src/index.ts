export type { Sync } from "./batch-writer.js";
export {
  createJsonlRepository,
  type JsonlRepository,
  type JsonlRepositoryOptions,
  type RepairReport,
} from "./jsonl-repository.js";
export type { LockTimes } from "./lock/session-lock.js";
