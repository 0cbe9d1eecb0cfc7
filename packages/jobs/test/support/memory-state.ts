import type { Attempt, AttemptEnd, Claim, RunRecord } from "../../src/state/attempt.js";
import type { JobState, TaskHistory } from "../../src/state/job-state.js";

/** What several schedulers share, such as a database would hold it. */
export class SharedMemory {
  readonly anchors = new Map<string, number>();
  readonly records = new Map<string, { claim: Claim; owner: object; end?: AttemptEnd }>();
  /** Owners that have ended without a word. */
  readonly dead = new Set<object>();
  count = 0;
}

/** State without files: proof that nothing above it assumes any. `owner` stands for the process of one scheduler. */
export function createMemoryState(memory: SharedMemory, owner: object = {}): JobState {
  const recordsOf = (taskId: string): readonly { claim: Claim; end?: AttemptEnd }[] =>
    [...memory.records.values()].filter(
      ({ claim }) => claim.attempt.taskId.toLowerCase() === taskId.toLowerCase(),
    );
  const keyOf = (taskId: string, schedule: string): string =>
    JSON.stringify([taskId.toLowerCase(), schedule]);
  return {
    anchor: async (taskId, schedule, now) => {
      const key = keyOf(taskId, schedule);
      const known = memory.anchors.get(key) ?? now;
      memory.anchors.set(key, known);
      return known;
    },
    seen: async (taskId, schedule) => memory.anchors.get(keyOf(taskId, schedule)),
    history: async (taskId): Promise<TaskHistory> => {
      const records = recordsOf(taskId);
      const times = records
        .filter(({ claim }) => !claim.attempt.once)
        .map(({ claim }) => claim.attempt.scheduledAt);
      return {
        slots: new Set(records.map(({ claim }) => claim.attempt.slot)),
        open: new Set(records.filter(({ end }) => end === undefined).map(({ claim }) => claim.attempt.slot)),
        ...(times.length > 0 && { newest: Math.max(...times) }),
      };
    },
    claim: async (attempt: Attempt) => {
      const key = attempt.occurrence.toLowerCase();
      if (memory.records.has(key)) return undefined;
      memory.count += 1;
      const day = new Date(attempt.claimedAt).toISOString().slice(0, 10);
      const claim = { attempt, number: `${day} ${String(memory.count).padStart(3, "0")}` };
      memory.records.set(key, { claim, owner });
      return claim;
    },
    finish: async ({ attempt }, end) => {
      const record = memory.records.get(attempt.occurrence.toLowerCase());
      if (record !== undefined && (record.owner === owner || record.end === undefined)) record.end = end;
    },
    lost: async () =>
      [...memory.records.values()]
        .filter(({ end, owner: other }) => end === undefined && memory.dead.has(other))
        .map(({ claim }) => claim),
    list: async (limit): Promise<readonly RunRecord[]> =>
      [...memory.records.values()]
        .reverse()
        .slice(0, limit)
        .map(({ claim, end }) => ({ ...claim, ...(end !== undefined && { end }) })),
    prune: async () => undefined,
  };
}
