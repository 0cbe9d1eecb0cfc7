// How soon a call that changes something has its first reply, from a cold sandboxed worker and from the agent's standby.
// Timed is what a program sees: from `agent.toolCall(…)` until the first `tool_data` event, which the tool sends once it
// has written its file; then until the call's result, when nothing of the call is left. Rules, policy and undo journal
// are part of all of it. The cold call is a fresh agent's first, the other one the same agent's second, made when its
// standby waits; so they take turns. What a process does once (imports, the probe) is done in a pair that is not counted.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentEnv } from "../../packages/agent/dist/index.js";
import { paired, table } from "../table.mjs";
import { sleep } from "../tools.mjs";

const title =
  "Sandbox: a call's first reply (in parts: until its result; processor time of the host's process)";
const unit = "ms";

const TOOL = `
import { writeFileSync } from "node:fs";
export const toolDescription = () => ({
  put: {
    description: "Writes a file.",
    inputSchema: { type: "object", properties: { path: { type: "string" }, text: { type: "string" } } },
  },
});
export const put = ({ path, text }, { onData }) => {
  writeFileSync(path, text);
  onData(path);
  return "written";
};
`;

const LOOK_MS = 50;
/** Looks in a row in which a process that waits has used no processor time. */
const IDLE_LOOKS = 6;
const WAIT_MS = 30_000;

const check = (ok, why) => {
  if (!ok) throw new Error(`check: ${why}`);
};

const noModel = () => {
  throw new Error("calls by hand need no model");
};

/** A process's fields from its name on: state, parent, … */
function statOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    // It ended while it was looked at.
    return undefined;
  }
}

/** Sleeping Node processes in sandboxes of this process, with the ticks each has used. */
function sleepers() {
  const stats = readdirSync("/proc").flatMap((pid) => {
    const fields = /^\d+$/.test(pid) ? statOf(pid) : undefined;
    return fields ? [{ pid, state: fields[0], parent: fields[1], ticks: `${fields[11]}+${fields[12]}` }] : [];
  });
  const below = [{ pid: String(process.pid) }];
  for (const one of below) below.push(...stats.filter(({ parent }) => parent === one.pid));
  return below.slice(1).filter(({ pid, state }) => state === "S" && isWorker(pid));
}

function isWorker(pid) {
  try {
    const [program, ...words] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    return program === process.execPath && words.some((word) => word.endsWith("/inside.js"));
  } catch {
    // As above.
    return false;
  }
}

/** Until one worker is there and waits. */
async function standbyReady() {
  const until = Date.now() + WAIT_MS;
  let before = "";
  for (let idle = 0; idle < IDLE_LOOKS; ) {
    check(Date.now() < until, "no standby came");
    await sleep(LOOK_MS);
    const found = sleepers();
    const now = found.map(({ pid, ticks }) => `${pid} ${ticks}`).join();
    idle = found.length === 1 && now === before ? idle + 1 : 0;
    before = now;
  }
}

async function timedCall(agent, folder, name) {
  const path = join(folder, name);
  let reply;
  const unsubscribe = agent.subscribe(({ type }) => {
    if (type === "tool_data") reply ??= performance.now();
  });
  const cpu = process.cpuUsage();
  const start = performance.now();
  const result = await agent.toolCall("put", { path, text: name });
  const end = performance.now();
  const { user, system } = process.cpuUsage(cpu);
  unsubscribe();
  check(result.isError !== true && reply !== undefined, JSON.stringify(result.content));
  check(readFileSync(path, "utf8") === name, `${name} was not written`);
  return { value: reply - start, growth: [end - start, (user + system) / 1000] };
}

async function pair(env, folder, round) {
  const agent = env.agentCreate({ systemPrompt: false, stream: noModel });
  try {
    const cold = await timedCall(agent, folder, `cold-${round}`);
    await standbyReady();
    const standby = await timedCall(agent, folder, `standby-${round}`);
    return new Map(Object.entries({ cold, standby }));
  } finally {
    await agent.close();
  }
}

/** The whole workload as a Markdown table. */
export async function sandbox({ pairs = 20 } = {}) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "ashlar-bench-sandbox-")));
  const [folder, home, tools] = ["project", "home", "tools"].map((name) => join(base, name));
  for (const path of [folder, home, tools]) mkdirSync(path);
  writeFileSync(join(tools, "package.json"), '{"type":"module"}');
  writeFileSync(join(tools, "put.js"), TOOL);
  const env = await AgentEnv.open(folder, {
    collect: false,
    tools: [tools],
    environment: { PATH: process.env.PATH, HOME: home, ASHLAR_HOME: join(home, ".ashlar") },
  });
  try {
    await pair(env, folder, "warm-up");
    const rounds = [];
    for (let round = 0; round < pairs; round += 1) rounds.push(await pair(env, folder, round));
    const rows = ["cold", "standby"].map((peer) => ({ peer, ...paired(rounds, peer, "cold") }));
    return `\n### ${title}\n\n${table(unit, rows)}`;
  } finally {
    await env.close();
    rmSync(base, { recursive: true, force: true });
  }
}
