import { rm, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { createExclusively, replaceFile } from "../folder/exclusive-file.js";
import { codeOf, storageError } from "../folder/file-error.js";
import { namesIn, readText, removeAll } from "../folder/folder-names.js";
import { makeFolder } from "../folder/make-folder.js";
import type { Attempt, AttemptEnd, Claim, RunRecord } from "./attempt.js";
import type { JobState, TaskHistory } from "./job-state.js";
import { createOwner, lifeOf, type Owner } from "./owner.js";
import {
  readAnchor,
  readClaim,
  readEndFile,
  readNumber,
  type SignedAttempt,
  writeAnchor,
  writeClaim,
  writeEnd,
  writeNumber,
} from "./record-text.js";
import { RunLedger, type RunLedgerOptions } from "./run-ledger.js";
import { hashOf, taskKey } from "./task-key.js";

/** Claims that a task keeps; the newest decide, older ones are history. */
const KEPT_CLAIMS = 64;
const DAY_MS = 86_400_000;
/** How long the history of a task outlives its file. */
const KEPT_WITHOUT_TASK_MS = 30 * DAY_MS;
/** An owner that cannot be asked counts as gone so long after its time limit; without one, after a day more. */
const UNKNOWN_OWNER_MS = DAY_MS / 24;

const CLAIM = /^(\d+(?:-[0-9a-f]+)?)\.json$/u;
const END = /^(\d+(?:-[0-9a-f]+)?)\.end\.json$/u;

/**
 * State in files that are made once and never changed: whoever makes a claim's file has the claim. There is no lock, so
 * nothing has to be freed after a crash. Several machines may share the folder where the file system makes a link, or a
 * file with `O_EXCL`, in one step.
 */
export function createFolderState(options: RunLedgerOptions): JobState {
  return new FolderState(options);
}

class FolderState implements JobState {
  readonly #state: string;
  readonly #ledger: RunLedger;
  readonly #owner: Owner = createOwner();
  /** Claims of this scheduler that have no end on disk, by occurrence; `end`: it could not be kept. */
  readonly #own = new Map<string, { readonly claim: Claim; end?: AttemptEnd }>();

  constructor(options: RunLedgerOptions) {
    this.#state = join(options.folder, "state");
    this.#ledger = new RunLedger(options);
  }

  readonly anchor = async (taskId: string, schedule: string, now: number): Promise<number> => {
    const known = await this.seen(taskId, schedule);
    if (known !== undefined) return known;
    const folder = await this.#makeTaskFolder(taskId);
    const text = writeAnchor(taskId, schedule, now);
    if (await createExclusively(join(folder, anchorName(schedule)), text)) return now;
    return (await this.seen(taskId, schedule)) ?? now;
  };

  readonly seen = async (taskId: string, schedule: string): Promise<number | undefined> => {
    return readAnchor((await readText(join(this.#taskFolder(taskId), anchorName(schedule)))) ?? "");
  };

  readonly history = async (taskId: string): Promise<TaskHistory> => {
    return historyOf(await namesIn(this.#taskFolder(taskId)));
  };

  readonly claim = async (attempt: Attempt): Promise<Claim | undefined> => {
    await this.#makeTaskFolder(attempt.taskId);
    const file = this.#file(attempt, "json");
    if (!(await createExclusively(file, writeClaim(attempt, this.#owner)))) return undefined;
    try {
      const claim = await this.#number(await this.#ledger.add(attempt));
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
    const file = this.#file(attempt, "end.json");
    const own = this.#own.get(attempt.occurrence);
    if (own !== undefined) {
      own.end = end;
      await this.#ledger.end(claim, end);
      await replaceFile(file, writeEnd(number, end));
      this.#own.delete(attempt.occurrence);
      return;
    }
    if ((await readText(file)) !== undefined) return;
    await this.#ledger.end(claim, end);
    if (await createExclusively(file, writeEnd(number, end))) return;
    // Somebody else was first, perhaps the owner, whose word counts.
    const other = readEndFile((await readText(file)) ?? "");
    if (other !== undefined) await this.#ledger.end(claim, other);
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
        else if (isLost(signed, now)) found.push(await this.#claimOf(signed.attempt));
      }
    }
    return this.#withoutEnd(found);
  };

  readonly list = (limit: number): Promise<readonly RunRecord[]> => this.#ledger.list(limit);

  readonly prune = async (taskIds: ReadonlySet<string>, now: number): Promise<void> => {
    const keys = new Set([...taskIds].map(taskKey));
    for (const key of await namesIn(this.#state)) {
      const folder = join(this.#state, key);
      const names = await namesIn(folder);
      const slots = [...historyOf(names).slots].sort((a, b) => timeOf(b) - timeOf(a));
      for (const slot of slots.slice(KEPT_CLAIMS)) {
        await removeAll(folder, [`${slot}.json`, `${slot}.number.json`, `${slot}.end.json`]);
      }
      if (!keys.has(key) && (await newestIn(folder, slots)) < now - KEPT_WITHOUT_TASK_MS) {
        await removeFolder(folder, names);
      }
    }
    await this.#ledger.prune();
  };

  /** A job that ended in the moment in which its scheduler died has an end in its record. */
  async #withoutEnd(claims: readonly Claim[]): Promise<readonly Claim[]> {
    const lost: Claim[] = [];
    for (const claim of claims) {
      const end = (await this.#ledger.read(claim.number))?.end;
      if (end === undefined) lost.push(claim);
      else await createExclusively(this.#file(claim.attempt, "end.json"), writeEnd(claim.number, end));
    }
    return lost;
  }

  /** Several may number one lost attempt at the same time, and any of them may die: the first to fix the number decides. */
  async #claimOf(attempt: Attempt): Promise<Claim> {
    const fixed = readNumber((await readText(this.#file(attempt, "number.json"))) ?? "");
    const records = await this.#ledger.find(attempt.id);
    const claim =
      fixed === undefined
        ? await this.#number(records[0] ?? (await this.#ledger.add(attempt)))
        : { attempt, number: fixed };
    for (const { number } of records) if (number !== claim.number) await this.#ledger.remove(number);
    return claim;
  }

  /** Fixes the number of an attempt for everybody; a record under another number goes. */
  async #number({ attempt, number }: Claim): Promise<Claim> {
    const file = this.#file(attempt, "number.json");
    if (await createExclusively(file, writeNumber(number))) return { attempt, number };
    const fixed = readNumber((await readText(file)) ?? "") ?? number;
    if (fixed !== number) await this.#ledger.remove(number);
    return { attempt, number: fixed };
  }

  #taskFolder(taskId: string): string {
    return join(this.#state, taskKey(taskId));
  }

  /** Never makes `state/` itself: a folder that was taken away stays away. */
  async #makeTaskFolder(taskId: string): Promise<string> {
    const folder = this.#taskFolder(taskId);
    await makeFolder(folder);
    return folder;
  }

  #file({ taskId, slot }: Attempt, kind: "json" | "number.json" | "end.json"): string {
    return join(this.#taskFolder(taskId), `${slot}.${kind}`);
  }
}

function isLost({ attempt, owner }: SignedAttempt, now: number): boolean {
  const life = owner === undefined ? "unknown" : lifeOf(owner);
  if (life !== "unknown") return life === "dead";
  return now > attempt.claimedAt + (attempt.timeoutMs ?? DAY_MS) + UNKNOWN_OWNER_MS;
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

/** A claim that stays unreadable was cut by a power failure; whatever it was for does not run again. */
async function closeUnreadable(file: string, now: number): Promise<void> {
  const stats = await stat(file).catch((error: unknown) => {
    // Pruned in the meantime.
    if (codeOf(error) === "ENOENT") return undefined;
    throw storageError(file, error);
  });
  if (stats === undefined || now - stats.mtimeMs < DAY_MS) return;
  const end = writeEnd("", { outcome: "interrupted", endedAt: now });
  await createExclusively(file.replace(/\.json$/u, ".end.json"), end);
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
