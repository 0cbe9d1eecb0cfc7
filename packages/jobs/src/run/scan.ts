import { randomUUID } from "node:crypto";
import { isAshlarError } from "@ashlar/context";
import { codeOf } from "../folder/file-error.js";
import type { JobsFolder } from "../folder/jobs-folder.js";
import type { Problem, ProblemLog } from "../folder/problem-log.js";
import type { ScanRecord } from "../folder/scan-records.js";
import {
  archiveLost,
  archiveTask,
  readTaskFile,
  readTaskFiles,
  type TaskFile,
} from "../folder/task-files.js";
import { isJobsError } from "../jobs-error.js";
import { scheduleText } from "../schedule/schedule.js";
import { type Due, type Plan, type PlannedTask, plan } from "../scheduler/plan.js";
import { type AttemptEnd, archivePath, type Claim, createAttempt, type RunRecord } from "../state/attempt.js";
import type { JobState } from "../state/job-state.js";
import type { TaskRunner } from "./task-runner.js";

/** A clock that is set back farther than this is said, once a day. */
const AHEAD_MS = 86_400_000;

/** What a scheduler works with. */
export interface ScanHost {
  readonly folder: JobsFolder;
  readonly state: JobState;
  readonly problems: ProblemLog;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** IANA name of the machine's zone. */
  readonly zone: string;
  /** Told when a job begins and when it has ended. */
  readonly onRun?: (record: RunRecord) => void;
}

/** Has a runner for as long as the work takes. Asked only when something is due. */
export type WithRunner = (work: (runner: TaskRunner) => Promise<void>) => Promise<void>;

interface Running {
  readonly runner: TaskRunner;
  readonly signal: AbortSignal;
}

export interface Scan extends ScanRecord {
  /** When the next occurrence comes, in epoch milliseconds; undefined: none is known. */
  readonly next: number | undefined;
}

/** One look at the tasks: what was lost is closed, what is due runs, one after the other. Rejects only when the folder itself is out of reach. */
export class Scanner {
  readonly #host: ScanHost;
  readonly #outcomes: RunRecord[] = [];
  readonly #errors: Problem[] = [];
  readonly #warnings: Problem[] = [];

  constructor(host: ScanHost) {
    this.#host = host;
  }

  async run(withRunner: WithRunner, signal: AbortSignal): Promise<Scan> {
    const { state, now } = this.#host;
    const at = now();
    await this.#recover();
    const planned = await this.#look();
    // After the look: another scheduler may have seen a schedule first while this one was looking.
    const work = plan(planned, { now: now(), zone: this.#host.zone });
    await this.#sayAhead(work, at);
    if (work.due.length > 0 && !signal.aborted) {
      await this.#withRunner(withRunner, (runner) => this.#runAll(work.due, { runner, signal }));
    }
    await this.#guard(undefined, () => state.prune(new Set(planned.map(({ task }) => task.id)), at));
    return {
      version: 1,
      at,
      endedAt: now(),
      due: work.due.length,
      running: [...work.standings.values()].filter(({ kind }) => kind === "running").length,
      outcomes: this.#outcomes,
      errors: this.#errors,
      warnings: this.#warnings,
      next: work.next,
    };
  }

  /** What keeps all tasks from running, such as settings of which no Env can be made, is a problem like others. */
  async #withRunner(withRunner: WithRunner, work: Parameters<WithRunner>[0]): Promise<void> {
    try {
      await withRunner(work);
    } catch (error) {
      if (!isAshlarError(error) || isJobsError(error)) throw error;
      await this.#error(undefined, error.message);
    }
  }

  /** Whatever an earlier scheduler left open and cannot end any more. It is not run again. */
  async #recover(): Promise<void> {
    const { state, folder, now } = this.#host;
    await this.#guard(undefined, async () => {
      for (const claim of await state.lost(now())) {
        const isKept = await archiveLost(folder, claim);
        const outcome = isKept ? "interrupted" : "archive-unconfirmed";
        const error = `its scheduler ended before it did, so nobody knows how far it came; it is not run again${isKept ? "" : ", and its text was not found"}`;
        await this.#finish(claim, { outcome, endedAt: now(), archive: archivePath(claim), error });
      }
    });
  }

  async #look(): Promise<readonly PlannedTask[]> {
    const { tasks, rejected } = await readTaskFiles(this.#host.folder);
    for (const { filename, problem } of rejected) await this.#error(filename, problem);
    const planned: PlannedTask[] = [];
    for (const file of tasks) {
      for (const note of file.notes) await this.#note(this.#warnings, file.task.filename, note);
      await this.#guard(file.task.filename, async () => {
        planned.push(await plannedTask(file, this.#host));
      });
    }
    return planned;
  }

  async #sayAhead({ standings }: Plan, now: number): Promise<void> {
    for (const [filename, standing] of standings) {
      if (standing.kind !== "ahead" || standing.until - now < AHEAD_MS) continue;
      const until = new Date(standing.until).toISOString();
      const message = `it last ran for ${until}, which is in the future: the clock was set back. Nothing runs until then; to start afresh, give the task another id`;
      await this.#error(filename, message);
    }
  }

  async #runAll(due: readonly Due[], running: Running): Promise<void> {
    for (const { filename } of due) {
      if (running.signal.aborted) return;
      await this.#guard(filename, () => this.#runIfDue(filename, running));
    }
  }

  /** The jobs before it may have taken hours: the file and the time are looked at again. */
  async #runIfDue(filename: string, running: Running): Promise<void> {
    const { folder, now, zone } = this.#host;
    const file = await readTaskFile(folder.tasks, filename);
    if (file === undefined) return;
    if ("problem" in file) return this.#error(filename, file.problem);
    const [due] = plan([await plannedTask(file, this.#host)], { now: now(), zone }).due;
    if (due !== undefined) await this.#runOne(due, file, running);
  }

  async #runOne({ slot, scheduledAt }: Due, file: TaskFile, { runner, signal }: Running): Promise<void> {
    const { state, now, onRun, folder } = this.#host;
    const { task } = file;
    const problem = await runner.problem(task);
    if (problem !== undefined) return this.#error(task.filename, problem);
    const attempt = createAttempt({
      slot,
      taskId: task.id,
      filename: task.filename,
      once: task.schedule.kind === "once",
      scheduledAt,
      claimedAt: now(),
      session: `job-${randomUUID()}`,
      ...(task.timeoutMs !== undefined && { timeoutMs: task.timeoutMs }),
    });
    const claim = await state.claim(attempt);
    if (claim === undefined) return;
    const stale = await staleReason(claim, state);
    if (stale !== undefined || !(await archiveTask(folder, file, claim))) {
      const error = stale ?? "its file was changed or taken away in the moment in which it was to run";
      return this.#finish(claim, { outcome: "stale", endedAt: now(), error });
    }
    onRun?.(claim);
    const end = await runner.run(task, { session: attempt.session, signal });
    await this.#finish(claim, { ...end, endedAt: now(), archive: archivePath(claim) });
  }

  async #finish(claim: Claim, end: AttemptEnd): Promise<void> {
    const { state, onRun } = this.#host;
    const record = { ...claim, end };
    if (end.outcome !== "stale") {
      this.#outcomes.push(record);
      onRun?.(record);
    }
    if (end.error !== undefined && end.outcome !== "stale") {
      await this.#note(this.#warnings, claim.attempt.filename, `${end.outcome}: ${end.error}`);
    }
    await state.finish(claim, end);
  }

  /** What the system refuses costs one task its turn, not the others theirs; a folder that is gone ends the scan. */
  async #guard(filename: string | undefined, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isJobsError(error) || error.kind !== "storage" || codeOf(error.cause) === "ENOENT") throw error;
      await this.#error(filename, error.message);
    }
  }

  #error(filename: string | undefined, message: string): Promise<void> {
    return this.#note(this.#errors, filename, message);
  }

  async #note(list: Problem[], filename: string | undefined, message: string): Promise<void> {
    const problem = filename === undefined ? { message } : { filename, message };
    list.push(problem);
    try {
      await this.#host.problems.add(problem, this.#host.now());
    } catch (error) {
      // The log is on the disk that may be full; the scan's own result carries the problem.
      if (!isJobsError(error) || error.kind !== "storage") throw error;
    }
  }
}

/** Looks up what is known of a task. */
export async function plannedTask(
  { task, slot, since }: TaskFile,
  { state, now }: Pick<ScanHost, "state" | "now">,
): Promise<PlannedTask> {
  const isRecurring = task.schedule.kind !== "once" && task.enabled;
  const anchor = isRecurring ? await state.anchor(task.id, scheduleText(task.schedule), now()) : since;
  return { task, fileSlot: slot, since, anchor, history: await state.history(task.id) };
}

/** A scheduler that was stopped between its plan and its claim may hold one that others have passed, and forgotten. */
async function staleReason({ attempt }: Claim, state: JobState): Promise<string | undefined> {
  if (attempt.once) return undefined;
  const { newest, open } = await state.history(attempt.taskId);
  if (newest !== undefined && newest > attempt.scheduledAt) return "a newer occurrence had begun";
  return open.size > 1 ? "the one before it still runs" : undefined;
}
