import { spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type RunOptions, run, worker } from "../src/index.js";
import { identityOf, isAlive, type ProcessIdentity, treeOf } from "../src/linux/process-tree.js";
import { type Identity, ordinaryUser, root } from "./support/identity.js";
import { LIMITS, makePlayground, type Playground, policyFor } from "./support/playground.js";
import { noSandbox } from "./support/sandbox-here.js";

const fixtures = fileURLToPath(new URL("fixtures/", import.meta.url));
const KILL_LIMIT_MS = 2_000;
const CALLS = 100;
const SOAK_LIMIT_MS = 600_000;

/** Starts what tries to live on: in a session of its own, without a parent, deaf to every signal it may be deaf to. */
const CLING = `
rm -f live-*
loop='touch "live-$0"; trap "" TERM HUP INT QUIT; while :; do sleep 0.05; done'
setsid bash -c "$loop" 1 &
( ( bash -c "$loop" 2 & ) & )
bash -c "$loop" 3 &
until [ -e live-1 ] && [ -e live-2 ] && [ -e live-3 ]; do sleep 0.02; done
`;

const below = (pid: number): readonly ProcessIdentity[] =>
  treeOf(pid)
    .slice(1)
    .flatMap((one) => identityOf(one) ?? []);

const stillAlive = (processes: readonly ProcessIdentity[]): readonly ProcessIdentity[] =>
  processes.filter(isAlive);

let place: Playground;

/** Runs a script until its first output, notes all processes, and tells what is left when the call has resolved. */
async function leftAfter(script: string, options: RunOptions = {}, timeMs: number | null = null) {
  let seen: readonly ProcessIdentity[] = [];
  const result = await run(
    ["bash", "-c", script],
    policyFor(place.project, { limits: { ...LIMITS, timeMs } }),
    {
      ...options,
      onOutput: () => {
        if (seen.length === 0) seen = below(process.pid);
      },
    },
  );
  return { outcome: result.outcome, seen: seen.length, left: stillAlive(seen) };
}

describe.skipIf(noSandbox !== undefined)("what a call started", () => {
  beforeAll(() => {
    place = makePlayground({ uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 });
  });
  afterAll(() => place.remove());

  it.each([
    { why: "it returned", script: `${CLING} echo started; sleep 0.3`, timeMs: null, outcome: "exited" },
    { why: "it failed", script: `${CLING} echo started; sleep 0.3; exit 9`, timeMs: null, outcome: "exited" },
    {
      why: "it killed the program that watches it",
      script: `${CLING} echo started; sleep 0.3; kill -KILL $PPID; sleep 60`,
      timeMs: null,
      outcome: "exited",
    },
    {
      why: "its time ran out",
      script: `${CLING} echo started; trap '' TERM; sleep 60`,
      timeMs: 6000,
      outcome: "timed-out",
    },
    {
      why: "it stopped itself",
      script: `${CLING} echo started; kill -STOP $$`,
      timeMs: 6000,
      outcome: "timed-out",
    },
    {
      why: "it stopped the program that watches it",
      script: `${CLING} echo started; kill -STOP $PPID; sleep 60`,
      timeMs: 6000,
      outcome: "timed-out",
    },
  ])("is gone when the call has ended: $why", async ({ script, timeMs, outcome }) => {
    const ended = await leftAfter(script, {}, timeMs);
    expect(ended.outcome).toBe(outcome);
    // Two of bubblewrap, the program that watches, the script and its three.
    expect(ended.seen).toBeGreaterThanOrEqual(7);
    expect(ended.left).toEqual([]);
  });

  it("is gone when the call has ended: it was cancelled, whenever", async () => {
    for (const afterMs of [0, 5, 20, 60, 120, 250, 600]) {
      const before = below(process.pid);
      const policy = policyFor(place.project);
      const call = run(["bash", "-c", `${CLING} sleep 60`], policy, { signal: AbortSignal.timeout(afterMs) });
      await delay(afterMs / 2);
      const seen = below(process.pid).filter(({ pid }) => !before.some((one) => one.pid === pid));
      expect((await call).outcome).toBe("cancelled");
      expect(stillAlive(seen)).toEqual([]);
    }
  });

  it("is gone when its worker has ended", async () => {
    const module = join(place.project, "cling.mjs");
    const script = JSON.stringify(`${CLING} sleep 60`);
    writeFileSync(
      module,
      `import { spawn } from "node:child_process";
       export default ({ send }) => { spawn("bash", ["-c", ${script}], { detached: true, stdio: "ignore" }); setTimeout(() => send("started"), 500); };`,
    );
    let tell: () => void = () => undefined;
    const started = new Promise<void>((resolve) => {
      tell = resolve;
    });
    const one = await worker(module, policyFor(place.project), { onMessage: tell });
    await started;
    const seen = below(process.pid);
    await one.close();
    expect(seen.length).toBeGreaterThanOrEqual(7);
    expect(stillAlive(seen)).toEqual([]);
  });
});

describe.skipIf(noSandbox !== undefined).each([
  { who: "root", make: root },
  { who: "an ordinary user", make: ordinaryUser },
])("what a host of $who started", ({ make }) => {
  let identity: Identity;
  beforeAll(() => {
    identity = make();
    if (identity.missing !== undefined)
      return console.log(`not run as ${identity.name}: ${identity.missing}`);
    place = makePlayground(identity);
  });
  beforeEach(({ skip }) => skip(identity.missing !== undefined, identity.missing));
  afterAll(() => {
    if (identity.missing === undefined) place.remove();
    identity.remove();
  });

  it.each([
    { why: "killed with -9", how: "stay", signal: "SIGKILL" as const },
    { why: "asked to end", how: "stay", signal: "SIGTERM" as const },
    { why: "at its own end", how: "exit", signal: undefined },
    { why: "at an error nobody caught", how: "throw", signal: undefined },
  ])("is gone soon after the host is $why", async ({ how, signal }) => {
    const plan = JSON.stringify({
      policy: policyFor(place.project),
      script: `${CLING} echo started; sleep 60`,
      how,
    });
    const host = spawn(process.execPath, [join(fixtures, "host.mjs"), place.entry, plan], {
      uid: identity.uid,
      gid: identity.gid,
      cwd: place.base,
    });
    const said: string[] = [];
    host.stderr.on("data", (chunk) => said.push(String(chunk)));
    const ended = new Promise((resolve) => host.on("exit", resolve));
    const started = new Promise((resolve) => host.stdout.on("data", resolve));
    await Promise.race([started, ended.then(() => expect.unreachable(`the host ended: ${said.join("")}`))]);
    const seen = below(host.pid ?? 0);
    if (signal) host.kill(signal);
    else host.stdin.end("end");
    await ended;
    const limit = Date.now() + KILL_LIMIT_MS;
    while (stillAlive(seen).length > 0 && Date.now() < limit) await delay(20);
    expect(seen.length).toBeGreaterThanOrEqual(7);
    expect(stillAlive(seen)).toEqual([]);
  });
});

describe.skipIf(noSandbox !== undefined)(
  `${CALLS} calls, a third cancelled, a third out of time, one host killed`,
  () => {
    beforeAll(() => {
      place = makePlayground({ uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 });
    });
    afterAll(() => place.remove());

    it(
      "leave no process, no change outside and no reserved place",
      () => {
        const soak = [place.soak, "--calls", String(CALLS)];
        const { stdout, stderr, status } = spawnSync(process.execPath, soak, {
          encoding: "utf8",
          timeout: SOAK_LIMIT_MS,
        });
        expect(stderr).toBe("");
        expect(JSON.parse(stdout)).toMatchObject({
          calls: CALLS,
          "left right after a call": 0,
          "left at the end": 0,
          "left by the killed host": 0,
          "files changed outside": 0,
          "places still reserved": 0,
        });
        expect(status).toBe(0);
      },
      SOAK_LIMIT_MS,
    );
  },
);
