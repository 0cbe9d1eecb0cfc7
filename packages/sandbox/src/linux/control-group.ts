import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { identityOf } from "./process-tree.js";

/** Holds the number of processes where `ulimit` does not: the kernel lets every program of the real root pass that. */
export interface ControlGroup {
  /** A process joins by writing its number to it. */
  readonly joinFile: string;
  readonly remove: () => Promise<void>;
}

/** What starts the sandbox is in the group too: bubblewrap twice, and our first program's threads. */
const OWN_PROCESSES = 24;
const BASE = "/sys/fs/cgroup";
const NAME = /^ashlar-(\d+)-(\d+)-\d+$/;
const REMOVE_ATTEMPTS = 100;
const REMOVE_PAUSE_MS = 10;

/** Folders in which a group that counts processes may be made, by `/proc/self/cgroup`; the nearest first. */
export function parentGroups(cgroups: string): readonly string[] {
  const folders = cgroups.split("\n").flatMap((line) => {
    const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    if (controllers === undefined || path === undefined) return [];
    // The newer hierarchy has no controllers in its line.
    if (controllers === "") return [join(BASE, path), BASE];
    return controllers.split(",").includes("pids")
      ? [join(BASE, controllers, path), join(BASE, controllers)]
      : [];
  });
  return [...new Set(folders)];
}

const tryTo = (attempt: () => void): boolean => {
  try {
    attempt();
    return true;
  } catch {
    // Not ours to change: the caller goes on without.
    return false;
  }
};

/** Groups of hosts that were killed. */
function sweep(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, pid, started] = NAME.exec(name) ?? [];
    if (pid !== undefined && identityOf(Number(pid))?.started !== started)
      tryTo(() => rmdirSync(join(parent, name)));
  }
}

function makeGroup(parent: string, name: string, processes: number): string | undefined {
  const folder = join(parent, name);
  const limit = join(folder, "pids.max");
  if (!existsSync(parent) || !tryTo(() => mkdirSync(folder))) return undefined;
  if (existsSync(limit) && tryTo(() => writeFileSync(limit, String(processes + OWN_PROCESSES))))
    return folder;
  tryTo(() => rmdirSync(folder));
  return undefined;
}

async function removeGroup(folder: string): Promise<void> {
  // The kernel takes a moment to let go of processes that have just ended.
  for (let attempt = 0; attempt < REMOVE_ATTEMPTS && existsSync(folder); attempt += 1)
    if (!tryTo(() => rmdirSync(folder))) await delay(REMOVE_PAUSE_MS);
}

let nextGroup = 1;

function ownGroups(): string {
  try {
    return readFileSync("/proc/self/cgroup", "utf8");
  } catch {
    // A kernel without control groups.
    return "";
  }
}

/** Undefined where none is needed (an ordinary user), or where none can be made. */
export function createControlGroup(processes: number): ControlGroup | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const name = `ashlar-${process.pid}-${identityOf(process.pid)?.started ?? 0}-${nextGroup++}`;
  for (const parent of parentGroups(ownGroups())) {
    const folder = makeGroup(parent, name, processes);
    if (folder === undefined) continue;
    sweep(parent);
    return { joinFile: join(folder, "cgroup.procs"), remove: () => removeGroup(folder) };
  }
  return undefined;
}

/** The command that joins the group first. */
export const joining = (group: ControlGroup, command: readonly string[]): readonly string[] => [
  "/bin/sh",
  "-c",
  'echo $$ > "$1"; shift; exec "$@"',
  "sh",
  group.joinFile,
  ...command,
];
