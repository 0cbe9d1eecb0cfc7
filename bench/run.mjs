#!/usr/bin/env node
// npm run bench -- W1 [W2 …] [--runs 5] [--peers ashlar,raw,pi] [--option rounds=1000] [--no-build]
// Runs a workload on each peer in turn (A B C, A B C, … with the start rotated), each measurement in a fresh process
// against one fake server, and prints medians and the ratio to the raw floor of the same wire, paired run by run.
// W4, `sandbox` and `sessions` have no peers to run in turn with, or their own ways to do so: see their files.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { setup } from "../scripts/setup.mjs";
import { main, root, run, StepFailure, step } from "../scripts/steps.mjs";
import { coldStart } from "./cold-start.mjs";
import { paired, table } from "./table.mjs";

const here = join(root, "bench");
const WORKLOADS = { W1: "streaming", W2: "tool-loop", W3: "parallel-tools", W5: "idle-agents", W7: "abort" };
/** Each returns its own table. Options it does not know are ignored. */
const OWN_WAYS = {
  W4: async ({ runs }) => coldStart(runs),
  sandbox: async ({ options }) => (await import("./workloads/sandbox.mjs")).sandbox(options),
  sessions: async ({ runs, options }) =>
    (await import("./workloads/sessions.mjs")).sessions({ runs, ...options }),
};
const DEFAULT_PEERS = "ashlar,ashlar:openai,raw,raw:openai,pi";
const TIMEOUT_MS = 300_000;

function commandLine() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        runs: { type: "string", default: "5" },
        peers: { type: "string", default: DEFAULT_PEERS },
        option: { type: "string", multiple: true, default: [] },
        "no-build": { type: "boolean", default: false },
      },
    });
  } catch (error) {
    throw new StepFailure(error.message);
  }
}

async function installPeers(peers) {
  for (const name of new Set(peers.map((peer) => peer.split(":")[0]))) {
    const folder = join(here, "peers", name);
    if (!existsSync(folder)) throw new StepFailure(`no peer "${name}" in bench/peers`);
    if (!existsSync(join(folder, "package.json")) || existsSync(join(folder, "node_modules"))) continue;
    await step(`install peer ${name}`, () =>
      run("npm", ["install", "--no-audit", "--no-fund", "--no-package-lock"], { cwd: folder }),
    );
  }
}

async function startServer() {
  const child = spawn(process.execPath, ["server.mjs"], { cwd: here, stdio: ["ignore", "pipe", "inherit"] });
  const port = await new Promise((resolve) =>
    child.stdout.on("data", (text) => resolve(/PORT (\d+)/.exec(text)?.[1])),
  );
  return { url: `http://127.0.0.1:${port}`, stop: () => child.kill() };
}

async function measure(peer, workload, url, options) {
  const args = ["--expose-gc", "measure.mjs", peer, workload, url, JSON.stringify(options)];
  const { code, output } = await run(
    "timeout",
    ["-s", "KILL", String(TIMEOUT_MS / 1000), process.execPath, ...args],
    { cwd: here },
  );
  const line = output.split("\n").find((text) => text.startsWith('{"peer"'));
  return line
    ? JSON.parse(line)
    : { peer, error: `exit ${code}: ${output.trim().split("\n").slice(-6).join(" | ")}` };
}

/** Wires differ in what a line costs to parse, so each peer is held against the floor of its own. */
const floorOf = (peer) => (/openai|^pi/.test(peer) ? "raw:openai" : "raw");

async function runWorkload(name, { peers, runs, options, url }) {
  const { title, unit } = await import(`./workloads/${WORKLOADS[name]}.mjs`);
  const rounds = [];
  for (let round = 0; round < runs; round += 1) {
    const figures = new Map();
    for (let offset = 0; offset < peers.length; offset += 1) {
      const peer = peers[(round + offset) % peers.length];
      figures.set(peer, await measure(peer, WORKLOADS[name], url, options));
      const { error } = figures.get(peer);
      if (error) process.stderr.write(`${peer}: ${error}\n`);
    }
    rounds.push(figures);
    process.stderr.write(`${name}: round ${round + 1} of ${runs}\n`);
  }
  console.log(`\n### ${title}\n`);
  console.log(
    table(
      unit,
      peers.map((peer) => ({ peer, ...paired(rounds, peer, floorOf(peer)) })),
    ),
  );
}

await main(async () => {
  const { values, positionals } = commandLine();
  const known = [...Object.keys(WORKLOADS), ...Object.keys(OWN_WAYS)];
  const unknown = positionals.filter((name) => !known.includes(name));
  if (positionals.length === 0 || unknown.length > 0) {
    throw new StepFailure(
      `name workloads: ${known.join(", ")}${unknown.length > 0 ? `; not ${unknown.join(", ")}` : ""}`,
    );
  }
  const peers = values.peers.split(",");
  const options = Object.fromEntries(
    values.option.map((pair) => pair.split("=")).map(([key, value]) => [key, Number(value)]),
  );
  const runs = Number(values.runs);
  if (!values["no-build"]) await setup();
  for (const name of positionals.filter((one) => one in OWN_WAYS))
    console.log(await OWN_WAYS[name]({ runs, options }));
  const withPeers = positionals.filter((name) => name in WORKLOADS);
  if (withPeers.length === 0) return;
  await installPeers(peers);
  const server = await startServer();
  try {
    for (const name of withPeers) await runWorkload(name, { peers, runs, options, url: server.url });
  } finally {
    server.stop();
  }
});
