import { mkdir, readdir, readFile, readlink, rmdir } from "node:fs/promises";
import { join } from "node:path";

/*
 * A path that must not come into being is held by an empty folder, over which the sandbox mounts nothing writable.
 * Each user of the place is an empty folder inside it, so that the last one's `rmdir` succeeds and all others' fail:
 * the count needs no lock, nothing that somebody put there is ever deleted, and git does not see any of it.
 */

const MARK = /^\.ashlar-(\d+)-(\d+)-(\d+)-\d+$/;
const ATTEMPTS = 20;

interface Owner {
  readonly pid: number;
  /** In clock ticks since the machine started: tells a process from a later one with its number. */
  readonly started: string;
  /** Process numbers mean nothing in another pid namespace. */
  readonly namespace: string;
}

/** Field 22 of `/proc/pid/stat`; undefined if there is no such process. */
async function startOf(pid: number): Promise<string | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    // No such process.
    return undefined;
  }
}

async function ownOwner(): Promise<Owner> {
  const link = await readlink("/proc/self/ns/pid");
  return {
    pid: process.pid,
    started: (await startOf(process.pid)) ?? "0",
    namespace: /\d+/.exec(link)?.[0] ?? "0",
  };
}

const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && "code" in error && typeof error.code === "string" && codes.includes(error.code);

/** Tells whether it is still there although nothing is in it: the program may have made its parent read-only. */
async function removeEmpty(folder: string): Promise<"stuck" | "done"> {
  try {
    await rmdir(folder);
    return "done";
  } catch (error) {
    return hasCode(error, "ENOENT", "ENOTDIR", "ENOTEMPTY", "EEXIST") ? "done" : "stuck";
  }
}

/** A place that cannot be removed now keeps its mark, by which a later run knows it. */
async function letGo(place: string, mark: string): Promise<void> {
  await removeEmpty(join(place, mark));
  if ((await removeEmpty(place)) === "done") return;
  await mkdir(join(place, mark)).catch(() => {
    // Then it stays an empty folder.
  });
}

/** Marks of processes that were killed; those of another pid namespace are left alone, dead or not. */
async function sweep(place: string, own: Owner): Promise<void> {
  for (const name of await readdir(place)) {
    const [, pid, started, namespace] = MARK.exec(name) ?? [];
    if (pid === undefined || namespace !== own.namespace) continue;
    if ((await startOf(Number(pid))) !== started) await removeEmpty(join(place, name));
  }
}

async function addMark(place: string, mark: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await mkdir(place, { recursive: false }).catch((error: unknown) => {
        if (!hasCode(error, "EEXIST")) throw error;
      });
      await mkdir(join(place, mark));
      return;
    } catch (error) {
      // Its last user has just let it go.
      if (!hasCode(error, "ENOENT") || attempt === ATTEMPTS) throw error;
    }
  }
}

let nextMark = 1;

let lastTurn: Promise<unknown> = Promise.resolve();

/**
 * One start or end of this process at a time: between looking at the paths of a policy and holding its places, no other
 * may let go of one, or its place would be taken for a folder of the user's.
 */
export function inTurn<Result>(step: () => Promise<Result>): Promise<Result> {
  const turn = lastTurn.then(step);
  // The caller has the failure; the next in turn only waits.
  lastTurn = turn.catch(() => undefined);
  return turn;
}

/** True if `place` exists only because a sandbox holds it. */
export async function isReservedPlace(place: string): Promise<boolean> {
  try {
    const names = await readdir(place);
    return names.length > 0 && names.every((name) => MARK.test(name));
  } catch {
    // Not a folder, or not there.
    return false;
  }
}

/** Holds every place until `release`, which never rejects and takes its turn. Call it within a turn. */
export async function reservePlaces(
  places: readonly string[],
): Promise<{ readonly release: () => Promise<void> }> {
  if (places.length === 0) return { release: async () => undefined };
  const own = await ownOwner();
  const mark = `.ashlar-${own.pid}-${own.started}-${own.namespace}-${nextMark++}`;
  const held: string[] = [];
  const letAllGo = async (): Promise<void> => {
    for (const place of held.splice(0)) await letGo(place, mark);
  };
  try {
    for (const place of places) {
      await addMark(place, mark);
      held.push(place);
      await sweep(place, own);
    }
  } catch (error) {
    await letAllGo();
    throw error;
  }
  return { release: () => inTurn(letAllGo) };
}
