#!/usr/bin/env node
// node soak/job-kills.mjs [--kills 100] [--schedulers 4]: schedulers are killed -9 at random moments, whatever they do,
// and others take their place. No task may begin twice, none may get lost, and every claim has to be closed in the end.
// Prints counts as one JSON line; exits 1 at an offence.
import { parseArgs } from "node:util";
import { check, withTrial } from "./trial.mjs";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "100" },
    schedulers: { type: "string", default: "4" },
  },
});
const [kills, schedulers] = [values.kills, values.schedulers].map(Number);
/** Enough that a kill always finds somebody at work. */
const tasks = kills * 4;
const DELAY_MS = 10;
/** Most die at work, which begins with the first job; some before. */
const LONGEST_WORK_MS = 300;
const LONGEST_START_MS = 1_000;

const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

await withTrial(tasks, async (trial) => {
  let done = 0;
  const lane = async () => {
    while (done < kills && trial.left() > 0) {
      let began;
      const atWork = new Promise((resolve) => {
        began = resolve;
      });
      const { child, ended } = trial.start(DELAY_MS, () => began());
      const early = Math.random() < 0.2;
      await Promise.race([ended, early ? wait(Math.random() * LONGEST_START_MS) : atWork]);
      await Promise.race([ended, wait(Math.random() * LONGEST_WORK_MS)]);
      if (child.kill("SIGKILL")) done += 1;
      await ended;
    }
  };
  await Promise.all(Array.from({ length: schedulers }, lane));
  // One look takes up what is left, and one more what was lost before it.
  for (let look = 0; look < 2; look += 1) {
    const { code } = await trial.start(0).ended;
    check(code === 0, `the last look ended with ${code}`);
  }
  const records = await trial.judge();
  const counts = {};
  for (const { outcome } of records) counts[outcome] = (counts[outcome] ?? 0) + 1;
  const { completed = 0, interrupted = 0, ...others } = counts;
  check(Object.keys(others).length === 0, `outcomes: ${JSON.stringify(counts)}`);
  check(interrupted <= done, `${interrupted} were interrupted by ${done} kills`);
  process.stdout.write(`${JSON.stringify({ kills: done, tasks, completed, interrupted })}\n`);
});
