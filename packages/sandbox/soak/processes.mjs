// Calls that start programs which do all they can to outlive them; counts what is left. `node soak/processes.mjs`
// runs 1,000 calls: a third return, a third are aborted, a third run out of time, and one host is killed with -9.
// --calls N, --parallel N; exits 1 unless every count is 0. Needs the built package.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { probe, run } from "../dist/index.js";

const { values } = parseArgs({
  options: {
    calls: { type: "string", default: "1000" },
    parallel: { type: "string", default: "4" },
    victim: { type: "string" },
  },
});

const SAMPLE_MS = 100;
const AFTER_KILL_MS = 2_000;
const VICTIM_SANDBOXES = 4;

/** Each of the three writes outside, and into its own folder, for as long as it lives. */
const CLING = `
loop='trap "" TERM HUP INT QUIT; while :; do echo escaped >> "$OUTSIDE/file"; echo x > alive; sleep 0.05; done'
setsid bash -c "$loop" &
( ( bash -c "$loop" & ) & )
bash -c "$loop" &
echo started
`;
const scripts = { returned: `${CLING} sleep 0.1`, stays: `${CLING} trap "" TERM; while :; do sleep 1; done` };

const read = (task) => {
  try {
    return task();
  } catch {
    // The process ended while it was looked at.
    return undefined;
  }
};

const pids = () => readdirSync("/proc").filter((name) => /^\d+$/.test(name));

/** "pid start" of each process below `root`, which is left out. */
function processesBelow(root) {
  const stats = pids().flatMap((pid) => {
    const text = read(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
    const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ");
    return fields && fields[0] !== "Z" ? [{ pid, parent: fields[1], key: `${pid} ${fields[19]}` }] : [];
  });
  const found = [{ pid: String(root) }];
  for (const one of found) found.push(...stats.filter(({ parent }) => parent === one.pid));
  return found.slice(1).map(({ key }) => key);
}

const alive = (keys) => {
  const now = new Set(
    pids().flatMap((pid) => {
      const text = read(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
      const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ");
      return fields && fields[0] !== "Z" ? [`${pid} ${fields[19]}`] : [];
    }),
  );
  return [...keys].filter((key) => now.has(key));
};

const countIn = (folder) =>
  pids().filter((pid) => read(() => readlinkSync(`/proc/${pid}/cwd`)) === folder).length;

function policyFor(place, name, timeMs) {
  const cwd = join(place.project, name);
  mkdirSync(cwd, { recursive: true });
  return {
    writeRoots: [place.project],
    readOnly: [join(place.project, "ai-settings.json")],
    readable: [place.outside],
    network: "none",
    environment: { PATH: process.env.PATH ?? "/usr/bin:/bin", OUTSIDE: place.outside },
    cwd,
    limits: { timeMs, outputBytes: 10_000, fileBytes: 1_000_000 },
  };
}

const pictureOf = (folder) =>
  createHash("sha256")
    .update(
      readdirSync(folder)
        .map((name) => `${name}\0${readFileSync(join(folder, name))}`)
        .join("\0"),
    )
    .digest("hex");

/** A host of its own, which never ends by itself. */
async function victim(place) {
  const calls = Array.from({ length: VICTIM_SANDBOXES }, (_, index) => {
    const onOutput = () => process.stdout.write("started\n");
    return run(["bash", "-c", scripts.stays], policyFor(place, `victim-${index}`, null), { onOutput });
  });
  await Promise.all(calls);
}

async function killVictim(place) {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), "--victim", JSON.stringify(place)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise((resolve) => {
    let started = 0;
    child.stdout.on("data", (chunk) => {
      started += String(chunk).split("started").length - 1;
      if (started >= VICTIM_SANDBOXES) resolve();
    });
  });
  const below = processesBelow(child.pid);
  child.kill("SIGKILL");
  await delay(AFTER_KILL_MS);
  const folders = Array.from({ length: VICTIM_SANDBOXES }, (_, index) =>
    join(place.project, `victim-${index}`),
  );
  return {
    seen: below.length,
    left: alive(below).length + folders.reduce((sum, folder) => sum + countIn(folder), 0),
  };
}

async function call(place, index, counts) {
  const name = `call-${index}`;
  const kind = ["returned", "aborted", "timed out"][index % 3];
  const abort = new AbortController();
  const timeMs = kind === "timed out" ? 20 + Math.floor(Math.random() * 400) : 600_000;
  const policy = policyFor(place, name, timeMs);
  const timer = kind === "aborted" ? setTimeout(() => abort.abort(), Math.random() * 600) : undefined;
  const script = kind === "returned" ? scripts.returned : scripts.stays;
  const { outcome } = await run(["bash", "-c", script], policy, { signal: abort.signal });
  clearTimeout(timer);
  counts.outcomes[outcome] = (counts.outcomes[outcome] ?? 0) + 1;
  counts.leftAfterCall += countIn(policy.cwd);
  rmSync(policy.cwd, { recursive: true, force: true });
}

async function main() {
  const { mechanism, reason, remedy } = await probe();
  if (mechanism === "none") return console.log(`not run: ${reason} ${remedy}`);
  const base = realpathSync(mkdtempSync(join(tmpdir(), "ashlar-soak-")));
  const place = { project: join(base, "project"), outside: join(base, "outside") };
  for (const folder of Object.values(place)) mkdirSync(folder);
  writeFileSync(join(place.outside, "file"), "as it was\n");
  const before = pictureOf(place.outside);
  const seen = new Set();
  const sampler = setInterval(() => {
    for (const key of processesBelow(process.pid)) seen.add(key);
  }, SAMPLE_MS);
  const counts = { outcomes: {}, leftAfterCall: 0 };
  const total = Number(values.calls);
  let next = 0;
  let killed;
  const lane = async () => {
    while (next < total) {
      const index = next++;
      if (index === Math.floor(total / 2)) killed = await killVictim(place);
      await call(place, index, counts);
    }
  };
  const since = Date.now();
  await Promise.all(Array.from({ length: Number(values.parallel) }, lane));
  clearInterval(sampler);
  const report = {
    calls: total,
    ...counts.outcomes,
    "processes seen": seen.size,
    "processes of a killed host": killed.seen,
    "left right after a call": counts.leftAfterCall,
    "left at the end": alive(seen).length,
    "left by the killed host": killed.left,
    "files changed outside": before === pictureOf(place.outside) ? 0 : 1,
    "places still reserved": readdirSync(place.project).filter((name) => name === "ai-settings.json").length,
    seconds: Math.round((Date.now() - since) / 1000),
  };
  // The host that was killed leaves its place; the next call that needs it has swept it.
  rmSync(base, { recursive: true, force: true });
  console.log(JSON.stringify(report, null, 2));
  const wrong = Object.entries(report).filter(
    ([name, count]) => /^(left|files|places)/.test(name) && count !== 0,
  );
  process.exitCode = wrong.length > 0 ? 1 : 0;
}

await (values.victim === undefined ? main() : victim(JSON.parse(values.victim)));
