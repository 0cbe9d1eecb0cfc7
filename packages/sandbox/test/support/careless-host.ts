import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, linkSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { RunResult, SandboxPolicy } from "../../src/index.js";
import type { Identity } from "./identity.js";
import { LIMITS, type Playground, policyFor } from "./playground.js";
import { PYTHON } from "./sandbox-here.js";

const fixtures = fileURLToPath(new URL("../fixtures/", import.meta.url));
const MEBIBYTE = 1024 * 1024;
const LEAKED_DESCRIPTOR = 99;
const LEAKED_TERMINAL = 77;
export const FILL_MEBIBYTES = 24;
export const HOST_LIMIT_MS = 300_000;

/** Rows that need limits of their own, and so a run of their own. */
const SEPARATE: Readonly<Record<string, Partial<SandboxPolicy["limits"]>>> = {
  fork_without_end: { processes: 200 },
  one_large_file: { fileBytes: 8 * MEBIBYTE },
  many_files: { fileBytes: 8 * MEBIBYTE },
  fill_temporary_folder: { temporaryBytes: 8 * MEBIBYTE },
  fill_shared_memory: { temporaryBytes: 8 * MEBIBYTE },
  memory_without_end: { memoryBytes: 256 * MEBIBYTE },
};

export interface Attempt {
  readonly escaped: boolean;
  readonly detail: string;
}

export interface Findings {
  readonly attempts: ReadonlyMap<string, Attempt>;
  readonly outcomes: ReadonlyMap<string, string>;
  readonly arrived: readonly string[];
  readonly before: string;
  readonly after: string;
}

/** Everything outside the project that an attempt could have changed. */
function pictureOf({ base, outside, home }: Playground, mark: string): string {
  const texts = [join(outside, "secret.txt"), join(home, ".bashrc"), join(home, ".netrc")];
  const names = [base, join(base, "work"), outside, home, join(home, ".ssh")].map((folder) =>
    readdirSync(folder),
  );
  const leaks = ["/tmp", "/var/tmp", "/dev/shm", "/run", "/"].map((folder) => existsSync(join(folder, mark)));
  const core = readFileSync("/proc/sys/kernel/core_pattern", "utf8");
  return JSON.stringify(
    { texts: texts.map((file) => readFileSync(file, "utf8")), names, leaks, core },
    null,
    1,
  );
}

const diskOf = (): { disk: string; diskNumber: number } => {
  const name = existsSync("/sys/block")
    ? readdirSync("/sys/block").find((one) => existsSync(`/dev/${one}`))
    : undefined;
  const disk = `/dev/${name ?? "vda"}`;
  return { disk, diskNumber: existsSync(disk) ? statSync(disk).rdev : 0 };
};

function makeFacts(place: Playground, mark: string): object {
  return {
    ...diskOf(),
    project: place.project,
    outside: place.outside,
    home: place.home,
    socket: join(place.base, "run/agent.sock"),
    datagramSocket: join(place.base, "run/log.sock"),
    mark,
    secret: `secret-of-${mark}`,
    segment: process.pid + 0x5b000000,
    leakedDescriptor: LEAKED_DESCRIPTOR,
    leakedTerminal: LEAKED_TERMINAL,
    forks: 600,
    fillMebibytes: FILL_MEBIBYTES,
    memoryMebibytes: 4096,
    timeLimitSeconds: HOST_LIMIT_MS / 1000,
  };
}

function planOf(place: Playground, factsFile: string): object {
  const policy = policyFor(place.project, {
    readOnly: [".git/hooks", ".git/config", "ai-settings.json", "ai-jobs"].map((name) =>
      join(place.project, name),
    ),
    hidden: [join(place.home, ".ssh"), join(place.home, ".netrc")],
  });
  const command = [PYTHON, join(place.base, "attempts.py"), factsFile];
  const separate = Object.entries(SEPARATE).map(([name, limits]) => ({
    name,
    command: [...command, name],
    policy: { ...policy, limits: { ...LIMITS, ...limits } },
  }));
  return { runs: [{ name: "all", command, policy }, ...separate] };
}

interface Prepared {
  readonly host: readonly string[];
  readonly factsFile: string;
  readonly mark: string;
}

function prepare(identity: Identity, place: Playground): Prepared {
  const mark = `ashlar-escape-${process.pid}-${identity.uid}`;
  const factsFile = join(place.base, "facts.json");
  for (const name of ["attempts.py", "careless-host.py", "driver.mjs"])
    writeFileSync(join(place.base, name), readFileSync(join(fixtures, name)));
  writeFileSync(factsFile, JSON.stringify(makeFacts(place, mark)));
  linkSync(join(place.outside, "secret.txt"), join(place.project, "old-hard-link"));
  execFileSync("chown", [`${identity.uid}:${identity.gid}`, factsFile]);
  return { host: [join(place.base, "careless-host.py"), factsFile], factsFile, mark };
}

function startHost(
  identity: Identity,
  place: Playground,
  { host, mark }: Prepared,
  command: readonly string[],
) {
  return spawnSync(PYTHON, [...host, ...command], {
    uid: identity.uid,
    gid: identity.gid,
    cwd: place.base,
    env: { PATH: process.env.PATH, API_KEY: `secret-of-${mark}`, HOME: place.home },
    encoding: "utf8",
    timeout: HOST_LIMIT_MS,
  });
}

/** Starts a careless host as that user, which runs every attempt in sandboxes of the built package. */
export function tryEverything(identity: Identity, place: Playground): Findings {
  const prepared = prepare(identity, place);
  const planFile = join(place.base, "plan.json");
  writeFileSync(planFile, JSON.stringify(planOf(place, prepared.factsFile)));
  const before = pictureOf(place, prepared.mark);
  const driver = [process.execPath, join(place.base, "driver.mjs"), place.entry, planFile];
  const { stdout, stderr } = startHost(identity, place, prepared, driver);
  return { ...findingsOf(stdout, stderr), before, after: pictureOf(place, prepared.mark) };
}

/** Tries some under a profile that only makes the file system read-only, as a plain use of bubblewrap would. */
export function tryWithoutProfile(
  identity: Identity,
  place: Playground,
  bubblewrap: string,
  attempts: readonly string[],
): ReadonlyMap<string, Attempt> {
  const prepared = prepare(identity, place);
  const weak = ["--ro-bind", "/", "/", "--dev-bind", "/dev", "/dev", "--proc", "/proc"];
  const command = [PYTHON, join(place.base, "attempts.py"), prepared.factsFile, ...attempts];
  const bound = [bubblewrap, ...weak, "--bind", place.project, place.project, "--", ...command];
  const { stdout, stderr } = startHost(identity, place, prepared, bound);
  const line = stdout.split("\n").find((one) => one.startsWith("{"));
  if (line === undefined) throw new Error(`nothing was tried: ${stderr}`);
  return new Map(Object.entries<Attempt>(JSON.parse(line)));
}

type Line = { name?: string; stdout?: string; stderr?: string; error?: string; arrived?: string[] } & Partial<
  Pick<RunResult, "outcome">
>;

function findingsOf(stdout: string, stderr: string): Omit<Findings, "before" | "after"> {
  const attempts = new Map<string, Attempt>();
  const outcomes = new Map<string, string>();
  let arrived: readonly string[] = ["the host did not finish"];
  for (const text of stdout.split("\n").filter((one) => one.startsWith("{"))) {
    // A cast because the line is this test's own driver's.
    const line = JSON.parse(text) as Line;
    if (line.error !== undefined) throw new Error(`${line.name}: ${line.error}`);
    if (line.arrived) arrived = line.arrived;
    if (line.name !== undefined && line.outcome !== undefined) outcomes.set(line.name, line.outcome);
    if (!line.stdout?.startsWith("{")) continue;
    for (const [name, found] of Object.entries<Attempt>(JSON.parse(line.stdout))) attempts.set(name, found);
  }
  if (attempts.size === 0) throw new Error(`nothing was tried: ${stderr}\n${stdout}`);
  return { attempts, outcomes, arrived };
}
