// How long a worker takes from nothing to its first reply, and how long one that waits takes to reply.
// `node soak/standby.mjs`; --rounds N. Needs the built package.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { probe, worker } from "../dist/index.js";

const { values } = parseArgs({ options: { rounds: { type: "string", default: "20" } } });
const ECHO = "export default ({ send, onMessage }) => onMessage(send);";

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const round = (number) => Math.round(number * 100) / 100;

async function timed(task) {
  const since = performance.now();
  await task();
  return performance.now() - since;
}

/** A worker together with a function that sends and waits for the reply. */
async function start(folder) {
  let reply = () => undefined;
  const started = await worker(
    join(folder, "echo.mjs"),
    {
      writeRoots: [folder],
      network: "none",
      environment: { PATH: process.env.PATH ?? "/usr/bin:/bin" },
      cwd: folder,
      limits: { timeMs: null, outputBytes: 1_000, fileBytes: 1_000_000 },
    },
    { onMessage: (value) => reply(value) },
  );
  const ask = (value) =>
    new Promise((resolve) => {
      reply = resolve;
      started.send(value);
    });
  return { ask, close: started.close };
}

const { mechanism, reason, remedy } = await probe();
if (mechanism === "none") console.log(`not run: ${reason} ${remedy}`);
else {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ashlar-standby-")));
  writeFileSync(join(folder, "echo.mjs"), ECHO);
  const [cold, warm] = [[], []];
  for (let count = 0; count < Number(values.rounds); count += 1) {
    let one;
    cold.push(
      await timed(async () => {
        one = await start(folder);
        await one.ask("first");
      }),
    );
    warm.push(await timed(() => one.ask("second")));
    await one.close();
  }
  rmSync(folder, { recursive: true, force: true });
  const report = {
    rounds: cold.length,
    "cold, ms": { median: round(median(cold)), least: round(Math.min(...cold)) },
    "waiting, ms": { median: round(median(warm)), least: round(Math.min(...warm)) },
    "waiting / cold": round(median(warm) / median(cold)),
  };
  console.log(JSON.stringify(report, null, 2));
}
