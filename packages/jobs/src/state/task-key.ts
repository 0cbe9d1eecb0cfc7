import { createHash } from "node:crypto";

const MAX_KEY = 96;
/** Lower case, so that two ids never meet in one folder where the file system folds case. */
const SAFE = /^[a-z0-9][a-z0-9._-]*[a-z0-9_-]$/u;

/** The name of a task's folder below `state/`. */
export function taskKey(id: string): string {
  const lower = id.toLowerCase();
  const isReserved = lower.startsWith("task-");
  return lower.length <= MAX_KEY && SAFE.test(lower) && !isReserved ? lower : `task-${hashOf(lower, 32)}`;
}

/** So many hexadecimal digits of a SHA-256. */
export function hashOf(text: string, digits: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, digits);
}
