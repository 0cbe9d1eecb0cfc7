import { join } from "node:path";
import { createExclusively, replaceFile } from "../folder/exclusive-file.js";
import { namesIn, readText, removeAll } from "../folder/folder-names.js";
import { type Attempt, type AttemptEnd, archivePath, type Claim, type RunRecord } from "./attempt.js";
import { readRun, writeRun } from "./record-text.js";

/** Records in `runs/`. */
const KEPT_RUNS = 1_000;
const RUN = /^\d{4}-\d{2}-\d{2} \d{3,}\.json$/u;

export interface RunLedgerOptions {
  /** Absolute path of the jobs folder; `runs/` and `completed/` are in it. */
  readonly folder: string;
  /** `YYYY-MM-DD` of the local day. */
  readonly dayOf: (instant: number) => string;
}

/** One record for each attempt, named by its number; for people and for what comes after a crash. */
export class RunLedger {
  readonly #runs: string;
  readonly #completed: string;
  readonly #dayOf: (instant: number) => string;

  constructor({ folder, dayOf }: RunLedgerOptions) {
    this.#runs = join(folder, "runs");
    this.#completed = join(folder, "completed");
    this.#dayOf = dayOf;
  }

  /** Makes the record of an attempt under a number of the day that nobody else has. */
  async add(attempt: Attempt): Promise<Claim> {
    const day = this.#dayOf(attempt.claimedAt);
    // Both, so that nothing in the archive is written over when records were deleted.
    const names = [...(await namesIn(this.#runs)), ...(await namesIn(this.#completed))];
    const taken = names.filter((name) => name.startsWith(`${day} `));
    for (let count = Math.max(0, ...taken.map(countOf)) + 1; ; count += 1) {
      const claim = { attempt, number: `${day} ${String(count).padStart(3, "0")}` };
      if (await createExclusively(this.#file(claim.number), writeRun(claim, archivePath(claim))))
        return claim;
    }
  }

  async end(claim: Claim, end: AttemptEnd): Promise<void> {
    await replaceFile(this.#file(claim.number), writeRun(claim, archivePath(claim), end));
  }

  async read(number: string): Promise<RunRecord | undefined> {
    return readRun((await readText(this.#file(number))) ?? "");
  }

  /** Records of one attempt, the lowest number first: more than one where a scheduler died while it was numbered. */
  async find(attemptId: string): Promise<readonly RunRecord[]> {
    return (await this.list(KEPT_RUNS)).filter(({ attempt }) => attempt.id === attemptId).reverse();
  }

  async remove(number: string): Promise<void> {
    await removeAll(this.#runs, [`${number}.json`]);
  }

  /** The newest first. */
  async list(limit: number): Promise<readonly RunRecord[]> {
    const names = (await this.#names()).toReversed().slice(0, limit);
    const texts = await Promise.all(names.map((name) => readText(join(this.#runs, name))));
    return texts.map((text) => readRun(text ?? "")).filter((record) => record !== undefined);
  }

  /** Drops the oldest records, and the texts of recurring tasks beside them. */
  async prune(): Promise<void> {
    for (const name of (await this.#names()).slice(0, -KEPT_RUNS)) {
      const record = readRun((await readText(join(this.#runs, name))) ?? "");
      const snapshot =
        record === undefined || record.attempt.once
          ? []
          : [`${record.number} ${record.attempt.filename}.snapshot`];
      await removeAll(this.#runs, [...snapshot, name]);
    }
  }

  async #names(): Promise<readonly string[]> {
    return (await namesIn(this.#runs)).filter((name) => RUN.test(name)).sort(byNumber);
  }

  #file(number: string): string {
    return join(this.#runs, `${number}.json`);
  }
}

const countOf = (name: string): number =>
  Number(/^\d{4}-\d{2}-\d{2} (\d{3,})(?:\.json$| )/u.exec(name)?.[1] ?? 0);

/** By day, then by count, which may have more than three digits. */
function byNumber(a: string, b: string): number {
  const [dayA, dayB] = [a.slice(0, 10), b.slice(0, 10)];
  return dayA === dayB ? countOf(a) - countOf(b) : dayA < dayB ? -1 : 1;
}
