// A project with due tasks and schedulers that race for them, and what has to hold afterwards.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { init, status } from "@ashlar/jobs";

const program = fileURLToPath(new URL("./scheduler.mjs", import.meta.url));

export function check(holds, what) {
  if (!holds) throw new Error(what);
}

/** Makes the project, gives it to the work, and takes it away whatever happened. */
export async function withTrial(tasks, work) {
  const base = mkdtempSync(join(tmpdir(), "ashlar soak jobs-"));
  try {
    const trial = new Trial(base, tasks);
    await init(trial.root);
    for (let index = 0; index < tasks; index += 1) {
      const name = `task ${String(index).padStart(3, "0")}.md`;
      writeFileSync(join(trial.root, "ai-jobs/tasks", name), `Do the task ${index}.\n`);
    }
    return await work(trial);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

class Trial {
  /** Occurrences of the jobs that began, in order. */
  began = [];

  constructor(base, tasks) {
    this.root = join(base, "project");
    this.home = join(base, "home");
    this.tasks = tasks;
    mkdirSync(this.root);
  }

  /** Starts a scheduler; `onBegin` is told of each job that it begins. */
  start(delay, onBegin = () => undefined) {
    const child = spawn(process.execPath, [program, this.root, this.home, String(delay)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let rest = "";
    child.stdout.on("data", (chunk) => {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop();
      for (const line of lines.filter((one) => one.startsWith("began "))) {
        this.began.push(line.slice("began ".length));
        onBegin(this.began.at(-1), child);
      }
    });
    const ended = new Promise((resolve) => child.once("close", (code, signal) => resolve({ code, signal })));
    return { child, ended };
  }

  /** How many tasks nobody has begun. */
  left() {
    return readdirSync(join(this.root, "ai-jobs/tasks")).length;
  }

  /** Holds what has to hold when all schedulers have ended; gives the records of attempts that began. */
  async judge() {
    const archived = readdirSync(join(this.root, "ai-jobs/completed"));
    const records = readdirSync(join(this.root, "ai-jobs/runs"))
      .filter((name) => /^\d{4}-\d{2}-\d{2} \d+\.json$/u.test(name))
      .map((name) => JSON.parse(readFileSync(join(this.root, "ai-jobs/runs", name), "utf8")));
    const real = records.filter(({ outcome }) => outcome !== "stale");
    const { tasks } = this;
    check((await status(this.root)).tasks.length === 0, `${this.left()} tasks did not run`);
    check(archived.length === tasks, `completed/ holds ${archived.length} of ${tasks}`);
    check(new Set(this.began).size === this.began.length, "a task began twice");
    check(new Set(archived.map((name) => name.slice(0, 14))).size === tasks, "two archives have one number");
    for (const key of ["id", "session", "number"])
      check(new Set(real.map((one) => one[key])).size === tasks, `${key} is not unique`);
    this.#judgeSessions(real);
    return real;
  }

  /** A lost job may have died before its conversation was on the disk; each other one has one, and nobody else. */
  #judgeSessions(records) {
    const kept = readdirSync(join(this.home, "data/sessions")).filter((name) => name.endsWith(".jsonl"));
    const lacking = records.filter(
      ({ outcome, session }) => outcome === "completed" && !kept.includes(`${session}.jsonl`),
    );
    check(lacking.length === 0, `${lacking.length} completed jobs have no session`);
    const known = new Set(records.map(({ session }) => `${session}.jsonl`));
    check(
      kept.every((name) => known.has(name)),
      "there is a session of no job",
    );
  }
}
