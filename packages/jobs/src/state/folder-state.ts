import { mkdir, readdir, readFile, rm, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { createExclusively, replaceFile } from "../folder/exclusive-file.js";
import { codeOf, storageError } from "../folder/file-error.js";
import { type Attempt, type AttemptEnd, archivePath, type Claim, type RunRecord } from "./attempt.js";
import type { JobState, TaskHistory } from "./job-state.js";
import { createOwner, lifeOf, type Owner } from "./owner.js";
import {
  readAnchor,
  readClaim,
  readRun,
  type SignedAttempt,
  writeAnchor,
  writeClaim,
  writeEnd,
  writeRun,
} from "./record-text.js";
import { hashOf, taskKey } from "./task-key.js";

/** Claims that a task keeps; the newest decide, older ones are history. */
const KEPT_CLAIMS = 64;
/** Records in `runs/`. */
const KEPT_RUNS = 1_000;
const DAY_MS = 86_400_000;
/** How long the history of a task outlives its file. */
const KEPT_WITHOUT_TASK_MS = 30 * DAY_MS;
/** An owner that cannot be asked counts as gone so long after its time limit; without one, after a day more. */
const UNKNOWN_OWNER_MS = DAY_MS / 24;

const CLAIM = /^(\d+(?:-[0-9a-f]+)?)\.json$/u;
const END = /^(\d+(?:-[0-9a-f]+)?)\.end\.json$/u;
const RUN = /^\d{4}-\d{2}-\d{2} \d{3,}\.json$/u;

export interface FolderStateOptions {
  /** Absolute path of the jobs folder; `state/`, `runs/` and `completed/` are in it. */
  readonly folder: string;
  /** `YYYY-MM-DD` of the local day. */
  readonly dayOf: (instant: number) => string;
}

/**
 * State in files that are made once and never changed: whoever makes a claim's file has the claim. There is no lock, so
 * nothing has to be freed after a crash. Several machines may share the folder where the file system makes a link, or a
 * file with `O_EXCL`, in one step.
 */
export function createFolderState(options: FolderStateOptions): JobState {
  return new FolderState(options);
}

class FolderState implements JobState {
  readonly #state: string;
  readonly #runs: string;
  readonly #completed: string;
  readonly #dayOf: (instant: number) => string;
  readonly #owner: Owner = createOwner();
  /** Claims of this scheduler that have no end on disk, by occurrence; `end`: it could not be kept. */
  readonly #own = new Map<string, { readonly claim: Claim; end?: AttemptEnd }>();

  constructor({ folder, dayOf }: FolderStateOptions) {
    this.#state = join(folder, "state");
    this.#runs = join(folder, "runs");
    this.#completed = join(folder, "completed");
    this.#dayOf = dayOf;
  }

  readonly anchor = async (taskId: string, schedule: string, now: number): Promise<number> => {
    const known = await this.seen(taskId, schedule);
    if (known !== undefined) return known;
    const folder = await this.#taskFolder(taskId);
    const text = writeAnchor(taskId, schedule, now);
    if (await createExclusively(join(folder, anchorName(schedule)), text)) return now;
    return (await this.seen(taskId, schedule)) ?? now;
  };

  readonly seen = async (taskId: string, schedule: string): Promise<number | undefined> => {
    return readAnchor((await readText(join(this.#state, taskKey(taskId), anchorName(schedule)))) ?? "");
  };

  readonly history = async (taskId: string): Promise<TaskHistory> => {
    return historyOf(await namesIn(join(this.#state, taskKey(taskId))));
  };

  readonly claim = async (attempt: Attempt): Promise<Claim | undefined> => {
    const folder = await this.#taskFolder(attempt.taskId);
    const file = join(folder, `${attempt.slot}.json`);
    if (!(await createExclusively(file, writeClaim(attempt, this.#owner)))) return undefined;
    try {
      const claim = await this.#number(attempt);
      this.#own.set(attempt.occurrence, { claim });
      return claim;
    } catch (error) {
      // Nothing began, so the occurrence may be taken again once there is room for its record.
      await rm(file, { force: true });
      throw error;
    }
  };

  readonly finish = async (claim: Claim, end: AttemptEnd): Promise<void> => {
    const { attempt, number } = claim;
    const own = this.#own.get(attempt.occurrence);
    if (own !== undefined) own.end = end;
    const file = join(this.#state, taskKey(attempt.taskId), `${attempt.slot}.end.json`);
    const text = writeEnd(number, end);
    // Of two who find the same claim lost, the first is enough.
    if (own === undefined && !(await createExclusively(file, text))) return;
    await replaceFile(join(this.#runs, `${number}.json`), writeRun(claim, archivePath(claim), end));
    if (own !== undefined) await replaceFile(file, text);
    this.#own.delete(attempt.occurrence);
  };

  readonly lost = async (now: number): Promise<readonly Claim[]> => {
    for (const { claim, end } of [...this.#own.values()])
      if (end !== undefined) await this.finish(claim, end);
    const found: Claim[] = [];
    for (const key of await namesIn(this.#state)) {
      const folder = join(this.#state, key);
      for (const slot of historyOf(await namesIn(folder)).open) {
        const file = join(folder, `${slot}.json`);
        const signed = readClaim((await readText(file)) ?? "");
        if (signed === undefined) await closeUnreadable(file, now);
        else if (this.#isLost(signed, now)) found.push(await this.#claimOf(signed.attempt));
      }
    }
    return found;
  };

  readonly list = async (limit: number): Promise<readonly RunRecord[]> => {
    const names = (await namesIn(this.#runs))
      .filter((name) => RUN.test(name))
      .sort(byNumber)
      .reverse();
    const texts = await Promise.all(names.slice(0, limit).map((name) => readText(join(this.#runs, name))));
    return texts.map((text) => readRun(text ?? "")).filter((record) => record !== undefined);
  };

  readonly prune = async (taskIds: ReadonlySet<string>, now: number): Promise<void> => {
    const keys = new Set([...taskIds].map(taskKey));
    for (const key of await namesIn(this.#state)) {
      const folder = join(this.#state, key);
      const names = await namesIn(folder);
      const slots = [...historyOf(names).slots].sort((a, b) => timeOf(b) - timeOf(a));
      const old = slots.slice(KEPT_CLAIMS);
      for (const slot of old) await removeAll(folder, [`${slot}.json`, `${slot}.end.json`]);
      if (!keys.has(key) && (await newestIn(folder, slots)) < now - KEPT_WITHOUT_TASK_MS) {
        await removeFolder(folder, names);
      }
    }
    const runs = (await namesIn(this.#runs)).filter((name) => RUN.test(name)).sort(byNumber);
    for (const name of runs.slice(0, -KEPT_RUNS)) {
      const record = readRun((await readText(join(this.#runs, name))) ?? "");
      const snapshot =
        record === undefined || record.attempt.once
          ? []
          : [`${record.number} ${record.attempt.filename}.snapshot`];
      await removeAll(this.#runs, [...snapshot, name]);
    }
  };

  #isLost({ attempt, owner }: SignedAttempt, now: number): boolean {
    const life = owner === undefined ? "unknown" : lifeOf(owner);
    if (life !== "unknown") return life === "dead";
    return now > attempt.claimedAt + (attempt.timeoutMs ?? DAY_MS) + UNKNOWN_OWNER_MS;
  }

  async #claimOf(attempt: Attempt): Promise<Claim> {
    const known = (await this.list(KEPT_RUNS)).find((record) => record.attempt.id === attempt.id);
    return known === undefined ? this.#number(attempt) : { attempt, number: known.number };
  }

  /** Gives the attempt a number of the day, by making its record: no two get the same. */
  async #number(attempt: Attempt): Promise<Claim> {
    const day = this.#dayOf(attempt.claimedAt);
    // Both, so that nothing in the archive is written over when records were deleted.
    const names = [...(await namesIn(this.#runs)), ...(await namesIn(this.#completed))];
    const taken = names.filter((name) => name.startsWith(`${day} `));
    for (let count = Math.max(0, ...taken.map(countOf)) + 1; ; count += 1) {
      const claim = { attempt, number: `${day} ${String(count).padStart(3, "0")}` };
      const file = join(this.#runs, `${claim.number}.json`);
      if (await createExclusively(file, writeRun(claim, archivePath(claim)))) return claim;
    }
  }

  /** Never makes `state/` itself: a folder that was taken away stays away. */
  async #taskFolder(taskId: string): Promise<string> {
    const folder = join(this.#state, taskKey(taskId));
    try {
      await mkdir(folder);
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw storageError(folder, error);
    }
    return folder;
  }
}

function historyOf(names: readonly string[]): TaskHistory {
  const matches = (pattern: RegExp): readonly string[] =>
    names.map((name) => pattern.exec(name)?.[1]).filter((slot) => slot !== undefined);
  const slots = new Set(matches(CLAIM));
  const ended = new Set(matches(END));
  const times = [...slots].filter((slot) => !slot.includes("-")).map(Number);
  return {
    slots,
    open: new Set([...slots].filter((slot) => !ended.has(slot))),
    ...(times.length > 0 && { newest: Math.max(...times) }),
  };
}

const anchorName = (schedule: string): string => `since-${hashOf(schedule, 16)}.json`;
const timeOf = (slot: string): number => Number(slot.split("-")[0]);
const countOf = (name: string): number =>
  Number(/^\d{4}-\d{2}-\d{2} (\d{3,})(?:\.json$| )/u.exec(name)?.[1] ?? 0);
/** By day, then by count, which may have more than three digits. */
function byNumber(a: string, b: string): number {
  const [dayA, dayB] = [a.slice(0, 10), b.slice(0, 10)];
  return dayA === dayB ? countOf(a) - countOf(b) : dayA < dayB ? -1 : 1;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).filter((name) => !name.startsWith("."));
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return [];
    throw storageError(folder, error);
  }
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw storageError(file, error);
  }
}

/** A claim that stays unreadable was cut by a power failure; whatever it was for does not run again. */
async function closeUnreadable(file: string, now: number): Promise<void> {
  const stats = await stat(file).catch((error: unknown) => {
    // Pruned in the meantime.
    if (codeOf(error) === "ENOENT") return undefined;
    throw storageError(file, error);
  });
  if (stats === undefined || now - stats.mtimeMs < DAY_MS) return;
  await createExclusively(
    file.replace(/\.json$/u, ".end.json"),
    writeEnd("", { outcome: "interrupted", endedAt: now }),
  );
}

/** Epoch milliseconds of the newest claim; of a task that never ran, of its folder. */
async function newestIn(folder: string, slots: readonly string[]): Promise<number> {
  const [newest] = slots;
  return newest === undefined ? (await stat(folder)).mtimeMs : timeOf(newest);
}

/** A claim that was made meanwhile keeps it. */
async function removeFolder(folder: string, names: readonly string[]): Promise<void> {
  await removeAll(folder, names);
  try {
    await rmdir(folder);
  } catch (error) {
    if (!["ENOTEMPTY", "EEXIST", "ENOENT"].includes(codeOf(error) ?? "")) throw storageError(folder, error);
  }
}

async function removeAll(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) await rm(join(folder, name), { force: true });
}
