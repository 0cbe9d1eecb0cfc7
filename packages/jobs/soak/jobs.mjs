#!/usr/bin/env node
// node soak/jobs.mjs [--schedulers 8] [--tasks 200] [--delay 20]: so many schedulers at once on one folder of due tasks;
// one of them is killed -9 in the middle of a job. Every task has to begin once and to be archived, with a number and a
// session of its own, and the lost job has to be recorded as interrupted. Prints counts as one JSON line; exits 1 at an offence.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { init, run, status } from "@ashlar/jobs";

const { values } = parseArgs({
  options: {
    schedulers: { type: "string", default: "8" },
    tasks: { type: "string", default: "200" },
    delay: { type: "string", default: "20" },
  },
});
const [schedulers, tasks] = [Number(values.schedulers), Number(values.tasks)];
const program = fileURLToPath(new URL("./scheduler.mjs", import.meta.url));

function check(holds, what) {
  if (!holds) throw new Error(what);
}

function count(words, word) {
  return words.filter((one) => one === word).length;
}

/** Resolves when it has ended; `line` sees each line it says. */
function scheduler(root, home, line) {
  const child = spawn(process.execPath, [program, root, home, values.delay], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let rest = "";
  child.stdout.on("data", (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop();
    for (const one of lines) line(one, child);
  });
  return new Promise((resolve) => child.once("close", (code, signal) => resolve({ code, signal })));
}

const base = mkdtempSync(join(tmpdir(), "ashlar soak jobs-"));
const [root, home] = [join(base, "project"), join(base, "home")];
const started = performance.now();
try {
  mkdirSync(root);
  await init(root);
  for (let index = 0; index < tasks; index += 1) {
    writeFileSync(
      join(root, "ai-jobs/tasks", `task ${String(index).padStart(3, "0")}.md`),
      `Do the task ${index}.\n`,
    );
  }
  const began = [];
  let victim;
  const ends = await Promise.all(
    Array.from({ length: schedulers }, () =>
      scheduler(root, home, (line, child) => {
        const [word, ...occurrence] = line.split(" ");
        if (word !== "began") return;
        began.push(occurrence.join(" "));
        // Whoever begins the job with which half of the tasks have begun dies in the middle of it.
        if (victim !== undefined || began.length < tasks / 2) return;
        victim = occurrence.join(" ");
        child.kill("SIGKILL");
      }),
    ),
  );
  const ms = Math.round(performance.now() - started);
  const said = JSON.stringify(ends);
  check(
    ends.filter(({ signal }) => signal === "SIGKILL").length === 1,
    `no scheduler was killed in the middle: ${said}`,
  );
  check(
    ends.every(({ code, signal }) => code === 0 || signal === "SIGKILL"),
    `a scheduler failed: ${said}`,
  );
  // Whoever looks next finds what was lost.
  const { outcomes } = await run(root, { model: "test/echo" });
  check(
    outcomes.every(({ end }) => end.outcome === "interrupted"),
    "the last look ran something again",
  );

  const archived = readdirSync(join(root, "ai-jobs/completed"));
  const records = readdirSync(join(root, "ai-jobs/runs"))
    .filter((name) => /^\d{4}-\d{2}-\d{2} \d+\.json$/u.test(name))
    .map((name) => JSON.parse(readFileSync(join(root, "ai-jobs/runs", name), "utf8")));
  const { tasks: left } = await status(root);
  const stale = records.filter(({ outcome }) => outcome === "stale");
  const real = records.filter(({ outcome }) => outcome !== "stale");
  const words = real.map(({ outcome }) => outcome);
  check(left.length === 0, `${left.length} tasks did not run`);
  check(archived.length === tasks, `completed/ holds ${archived.length} of ${tasks}`);
  check(new Set(began).size === began.length, "a task began twice");
  check(began.length === tasks, `${began.length} of ${tasks} tasks began`);
  check(new Set(archived.map((name) => name.slice(0, 14))).size === tasks, "two archives have one number");
  for (const key of ["id", "session", "number"])
    check(new Set(real.map((one) => one[key])).size === tasks, `${key} is not unique`);
  // The lost job may have died before its conversation was on the disk.
  const sessions = readdirSync(join(home, "data/sessions")).filter((name) => name.endsWith(".jsonl"));
  const wanted = real
    .filter(({ outcome }) => outcome === "completed")
    .map(({ session }) => `${session}.jsonl`);
  check(
    wanted.every((name) => sessions.includes(name)),
    "a completed job has no session",
  );
  const known = new Set(real.map(({ session }) => `${session}.jsonl`));
  check(
    sessions.every((name) => known.has(name)),
    "there is a session of no job",
  );
  check(
    count(words, "interrupted") === 1 && count(words, "completed") === tasks - 1,
    `outcomes: ${JSON.stringify(words)}`,
  );
  const lost = real.find(({ outcome }) => outcome === "interrupted");
  check(lost.occurrence === victim, `the interrupted one is ${lost.occurrence}, not ${victim}`);
  process.stdout.write(
    `${JSON.stringify({ schedulers, tasks, completed: archived.length, interrupted: 1, stale: stale.length, ms })}\n`,
  );
} finally {
  rmSync(base, { recursive: true, force: true });
}
