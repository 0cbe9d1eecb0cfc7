#!/usr/bin/env node
// node soak/jobs.mjs [--schedulers 8] [--tasks 200] [--delay 20]: so many schedulers at once on one folder of due tasks;
// one of them is killed -9 in the middle of a job. Every task has to begin once and to be archived, with a number and a
// session of its own, and the lost job has to be recorded as interrupted. Prints counts as one JSON line; exits 1 at an offence.
import { parseArgs } from "node:util";
import { run } from "@ashlar/jobs";
import { check, withTrial } from "./trial.mjs";

const { values } = parseArgs({
  options: {
    schedulers: { type: "string", default: "8" },
    tasks: { type: "string", default: "200" },
    delay: { type: "string", default: "20" },
  },
});
const [schedulers, tasks, delay] = [values.schedulers, values.tasks, values.delay].map(Number);

await withTrial(tasks, async (trial) => {
  const started = performance.now();
  let victim;
  // Whoever begins the job with which half of the tasks have begun dies in the middle of it.
  const onBegin = (occurrence, child) => {
    if (victim !== undefined || trial.began.length < tasks / 2) return;
    victim = occurrence;
    child.kill("SIGKILL");
  };
  const all = Array.from({ length: schedulers }, () => trial.start(delay, onBegin).ended);
  const ends = await Promise.all(all);
  const ms = Math.round(performance.now() - started);
  const killed = ends.filter(({ signal }) => signal === "SIGKILL");
  check(killed.length === 1, `no scheduler was killed in the middle: ${JSON.stringify(ends)}`);
  check(
    ends.every(({ code, signal }) => code === 0 || signal === "SIGKILL"),
    `a scheduler failed: ${JSON.stringify(ends)}`,
  );
  // Whoever looks next finds what was lost.
  const { outcomes } = await run(trial.root, { model: "test/echo" });
  check(
    outcomes.every(({ end }) => end.outcome === "interrupted"),
    "the last look ran something again",
  );
  const records = await trial.judge();
  check(trial.began.length === tasks, `${trial.began.length} of ${tasks} tasks began`);
  const lost = records.filter(({ outcome }) => outcome !== "completed");
  check(lost.length === 1 && lost[0].outcome === "interrupted", `lost: ${JSON.stringify(lost)}`);
  check(lost[0].occurrence === victim, `the interrupted one is ${lost[0].occurrence}, not ${victim}`);
  process.stdout.write(
    `${JSON.stringify({ schedulers, tasks, completed: tasks, interrupted: lost.length, ms })}\n`,
  );
});
