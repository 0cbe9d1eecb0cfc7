import { readdirSync, readFileSync } from "node:fs";

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // The process ended meanwhile.
    return undefined;
  }
};

/** A process number together with what tells it from a later process of the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly started: string;
}

interface ProcessStat {
  readonly state: string;
  readonly parent: number;
  readonly started: string;
}

/** Fields 3, 4 and 22 of `/proc/pid/stat`; the name before them may hold anything. */
export function parseStat(text: string): ProcessStat {
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return { state: fields[0] ?? "", parent: Number(fields[1]), started: fields[19] ?? "" };
}

function statOf(pid: number): ProcessStat | undefined {
  const text = read(`/proc/${pid}/stat`);
  return text === undefined ? undefined : parseStat(text);
}

/** Undefined if there is no such process. */
export function identityOf(pid: number): ProcessIdentity | undefined {
  const stat = statOf(pid);
  return stat && { pid, started: stat.started };
}

/** False once it is dead, even if its parent has not asked for its status yet. */
export function isAlive({ pid, started }: ProcessIdentity): boolean {
  const stat = statOf(pid);
  return stat !== undefined && stat.started === started && stat.state !== "Z" && stat.state !== "X";
}

/** `root` and everything below it. */
export function treeOf(root: number): readonly number[] {
  const childrenOf = new Map<number, number[]>();
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    const stat = Number.isInteger(pid) ? statOf(pid) : undefined;
    if (!stat) continue;
    const siblings = childrenOf.get(stat.parent) ?? [];
    siblings.push(pid);
    childrenOf.set(stat.parent, siblings);
  }
  const tree = [root];
  for (const pid of tree) tree.push(...(childrenOf.get(pid) ?? []));
  return tree;
}

/** Of its own, in bytes: anonymous and shared memory, not the pages of files. */
export function memoryOf(status: string): number {
  const kibibytes = [...status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm)].map(([, amount]) =>
    Number(amount),
  );
  return kibibytes.reduce((sum, amount) => sum + amount, 0) * 1024;
}

/** Of a whole tree. Pages that a fork shares with its parent count for both. */
export const treeMemory = (root: number): number =>
  treeOf(root).reduce((sum, pid) => sum + memoryOf(read(`/proc/${pid}/status`) ?? ""), 0);
