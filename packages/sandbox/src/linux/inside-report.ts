import { FILE_BLOCK_BYTES } from "../confined/limited-command.js";
import type { PlannedMount } from "../policy/mount-plan.js";
import { governing } from "../policy/mount-plan.js";
import { isAtOrBelow } from "../policy/path-text.js";
import { MountTable, parseMounts } from "./mount-table.js";

/** What the program that we start inside sees before anything else runs there; texts as the kernel gives them. */
export interface InsideReport {
  /** `/proc/self/status` and that of process 1, `/proc/self/mountinfo`, `/proc/self/limits`. */
  readonly status: string;
  readonly firstStatus: string;
  readonly mounts: string;
  readonly limits: string;
  /** Names of `/proc/self/ns` to what they link to. */
  readonly namespaces: Readonly<Record<string, string>>;
  /** Names in `/proc/net/dev`. */
  readonly interfaces: readonly string[];
  /** Mount points that can be written to, but not be reached with the rights there. */
  readonly unreachable: readonly string[];
  /** What descriptors beyond ours are open on. */
  readonly descriptors: readonly string[];
}

export interface Expected {
  readonly plan: readonly PlannedMount[];
  readonly network: "none" | "full";
  readonly fileBytes: number;
  readonly processes: number;
  /** The host's own. */
  readonly namespaces: Readonly<Record<string, string>>;
}

/** The user's view of devices is writable by nature; the folder that holds them is not. */
const DEVICES = ["null", "zero", "full", "random", "urandom", "tty", "console", "pts"];
const WRITABLE_BY_NATURE = new Set(["/proc", ...DEVICES.map((name) => `/dev/${name}`)]);
const SEPARATE = ["user", "pid", "mnt", "ipc", "uts"];
const CAPABILITY_SETS = ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"];

const fieldOf = (status: string, name: string): string | undefined =>
  new RegExp(`^${name}:\\s*(.*)$`, "m").exec(status)?.[1]?.trim();

/** Process 1 counts as well: programs inside can write to its memory, and so act with its rights. */
function privilegeProblems(who: string, status: string): readonly string[] {
  const problems = CAPABILITY_SETS.filter((set) => !/^0+$/.test(fieldOf(status, set) ?? "")).map(
    (set) => `${who} has capabilities (${set})`,
  );
  if (fieldOf(status, "NoNewPrivs") !== "1") problems.push(`${who} may gain privileges`);
  if (fieldOf(status, "Seccomp") !== "2") problems.push(`no system call filter holds for ${who}`);
  return problems;
}

function namespaceProblems(inside: InsideReport, { network, namespaces }: Expected): readonly string[] {
  const separate = network === "none" ? [...SEPARATE, "net"] : SEPARATE;
  const problems = separate
    .filter((name) => !inside.namespaces[name] || inside.namespaces[name] === namespaces[name])
    .map((name) => `the ${name} namespace is the host's`);
  const open = inside.interfaces.filter((name) => name !== "lo");
  if (network === "none" && open.length > 0)
    problems.push(`network interfaces are there: ${open.join(", ")}`);
  return problems;
}

function mountProblems(inside: InsideReport, plan: readonly PlannedMount[]): readonly string[] {
  const table = new MountTable(parseMounts(inside.mounts));
  // bubblewrap leaves those as they are, because it cannot reach them either: Docker's, for an ordinary user.
  const unreachable = new Set(inside.unreachable);
  if (table.at("/")?.writable !== false) return ["the root of the file system is not read-only"];
  const planned = new Set(plan.map(({ path }) => path));
  const missing = plan
    .filter(({ path, kind }) => {
      const mount = table.at(path);
      return mount?.path !== path || mount.writable !== (kind === "write" || kind === "temporary");
    })
    .map(({ path, kind }) => `${path} is not mounted as ${kind}`);
  const surplus = table
    .reachable()
    .filter(({ path, writable }) => {
      if (planned.has(path) || WRITABLE_BY_NATURE.has(path)) return false;
      const kind = governing(plan, path)?.kind;
      if (kind === "empty-folder" || kind === "empty-file") return true;
      return writable && kind !== "write" && !unreachable.has(path);
    })
    .map(({ path }) => `${path} is mounted, which nothing asked for`);
  return [...missing, ...surplus];
}

const softLimit = (limits: string, name: string): number => {
  const text = new RegExp(`^${name}\\s+(\\S+)\\s+(\\S+)`, "m").exec(limits)?.[2];
  return text === undefined || text === "unlimited" ? Number.POSITIVE_INFINITY : Number(text);
};

function limitProblems(limits: string, { fileBytes, processes }: Expected): readonly string[] {
  const problems: string[] = [];
  if (softLimit(limits, "Max file size") > Math.max(fileBytes, FILE_BLOCK_BYTES))
    problems.push("the size of files is not limited");
  if (softLimit(limits, "Max processes") > processes) problems.push("the number of processes is not limited");
  return problems;
}

/** Empty if the sandbox holds what was asked for; else each thing that is open, in plain words. */
export function problemsInside(inside: InsideReport, expected: Expected): readonly string[] {
  const open = inside.descriptors.filter((target) => !isAtOrBelow(target, "/dev/null"));
  return [
    ...privilegeProblems("the program", inside.status),
    ...privilegeProblems("the first process", inside.firstStatus),
    ...namespaceProblems(inside, expected),
    ...mountProblems(inside, expected.plan),
    ...limitProblems(inside.limits, expected),
    ...open.map((target) => `a descriptor is open on ${target}`),
  ];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === "string");

const isTextRecord = (value: unknown): value is Readonly<Record<string, string>> =>
  isRecord(value) && Object.values(value).every((item) => typeof item === "string");

/** Undefined if a part is missing or of another form. */
export function decodeReport(value: unknown): InsideReport | undefined {
  if (!isRecord(value)) return undefined;
  const { status, firstStatus, mounts, limits, namespaces, interfaces, unreachable, descriptors } = value;
  if (typeof status !== "string" || typeof firstStatus !== "string") return undefined;
  if (typeof mounts !== "string" || typeof limits !== "string") return undefined;
  if (!isTextRecord(namespaces) || !isTexts(interfaces)) return undefined;
  if (!isTexts(unreachable) || !isTexts(descriptors)) return undefined;
  return { status, firstStatus, mounts, limits, namespaces, interfaces, unreachable, descriptors };
}
