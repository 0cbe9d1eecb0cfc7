import { randomUUID } from "node:crypto";
import { fstatSync, futimesSync, statSync } from "node:fs";
import { type FileHandle, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { SessionError } from "@ashlar/context";
import { codeOf } from "../file-error.js";
import { linkExclusively } from "../publish.js";
import { lifeOf, type Owner, parseOwner, thisOwner } from "./owner.js";

export interface LockTimes {
  /** How often an owner gives a sign of life. Default 2000. */
  readonly heartbeatMs: number;
  /** After how long without one a live owner loses the lock. Default 10,000. */
  readonly staleMs: number;
}

export const LOCK_TIMES: LockTimes = { heartbeatMs: 2_000, staleMs: 10_000 };

/** What is found at a path of the lock. */
interface Holder {
  /** Undefined when nobody signed it. */
  readonly owner: Owner | undefined;
  readonly token: string;
  /** Epoch milliseconds by the file's time. */
  readonly heartbeat: number;
}

const MAX_TRIES = 50;
/** Far below any stale time. */
const JUST_NOW_MS = 5;

/**
 * One writer at a time for one file. The lock file is made in one step with its content; it is taken over by whoever
 * first links a claim that names the hold it ends, so that of many takers one wins. An owner that was overtaken sees
 * another file at the path.
 */
export class SessionLock {
  readonly owner: Owner;
  /** True when the former owner may still be running and hold the session's file open. */
  readonly isFromLiving: boolean;
  readonly #path: string;
  readonly #handle: FileHandle;
  readonly #inode: number;
  /** The system counts the names of a file: when ours has none, another one stands at the path. */
  readonly #countsNames: boolean;
  /** By the clock that never steps back; it runs on while the process is stopped. */
  #askedAt = Number.NEGATIVE_INFINITY;
  readonly #timer: NodeJS.Timeout;
  #isReleased = false;

  private constructor(path: string, handle: FileHandle, inode: number, hold: Hold, heartbeatMs: number) {
    this.owner = hold.owner;
    this.isFromLiving = hold.isFromLiving;
    this.#path = path;
    // While the file is open its number goes to no other file.
    this.#handle = handle;
    this.#inode = inode;
    this.#countsNames = hold.isLinked;
    this.#timer = setInterval(() => this.#beat(), heartbeatMs);
    this.#timer.unref();
  }

  /** Throws kind `locked` while somebody else has it. */
  static async acquire(path: string, id: string, times: LockTimes): Promise<SessionLock> {
    const hold = await takeHold(path, id, times);
    try {
      return await SessionLock.#ofHold(path, id, hold, times);
    } catch (error) {
      // Nobody could take it from a process that lives and does not know that it has it.
      if ((await holderAt(path))?.token === hold.owner.token) await rm(path, { force: true });
      throw error;
    }
  }

  static async #ofHold(path: string, id: string, hold: Hold, times: LockTimes): Promise<SessionLock> {
    const handle = await open(path, "r+");
    const text = await handle.readFile("utf8");
    if (parseOwner(text)?.token !== hold.owner.token) {
      await handle.close();
      throw lockedBy(id, await holderAt(path));
    }
    const { ino } = await handle.stat();
    return new SessionLock(path, handle, ino, hold, times.heartbeatMs);
  }

  /** Asks the file system, unless it did so just now: a process that was stopped long enough to be overtaken asks again. */
  isHeld(): boolean {
    const now = performance.now();
    if (!this.#isReleased && now - this.#askedAt < JUST_NOW_MS) return true;
    if (!this.#isThere()) return false;
    this.#askedAt = now;
    return true;
  }

  /** Lets go; what somebody else took over stays theirs. */
  async release(): Promise<void> {
    if (this.#isReleased) return;
    clearInterval(this.#timer);
    const isOurs = this.#isThere();
    this.#isReleased = true;
    if (isOurs) await rm(this.#path, { force: true });
    await this.#handle.close();
  }

  #isThere(): boolean {
    if (this.#isReleased) return false;
    if (this.#countsNames) return fstatSync(this.#handle.fd).nlink > 0;
    return statSync(this.#path, { throwIfNoEntry: false })?.ino === this.#inode;
  }

  #beat(): void {
    const now = new Date();
    try {
      futimesSync(this.#handle.fd, now, now);
    } catch {
      // A missed sign of life is what the stale time is for; the next one may work.
    }
  }
}

interface Hold {
  readonly owner: Owner;
  readonly isFromLiving: boolean;
  readonly isLinked: boolean;
}

async function takeHold(path: string, id: string, times: LockTimes): Promise<Hold> {
  const token = randomUUID();
  const own = `${path}.${token}`;
  try {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const hold = await tryOnce(path, own, token, id, times);
      if (hold !== undefined) return hold;
    }
  } finally {
    await rm(own, { force: true });
  }
  throw lockedBy(id, await holderAt(path));
}

/** Undefined when the lock changed hands meanwhile. */
async function tryOnce(
  path: string,
  own: string,
  token: string,
  id: string,
  times: LockTimes,
): Promise<Hold | undefined> {
  const holder = await holderAt(path);
  const owner = thisOwner(token, Date.now(), (holder?.owner?.fence ?? 0) + 1);
  await writeFile(own, `${JSON.stringify(owner)}\n`, { mode: 0o600 });
  if (holder === undefined) {
    const made = await linkExclusively(own, path);
    return made === "taken" ? undefined : { owner, isFromLiving: false, isLinked: made === "linked" };
  }
  const chain = await deadChain(path, holder, id, times);
  const last = chain.at(-1);
  if (last === undefined) return undefined;
  const claimed = await linkExclusively(own, claimPath(path, last.token));
  if (claimed === "taken") return undefined;
  const claims = chain.map((each) => claimPath(path, each.token));
  if ((await holderAt(path))?.token !== holder.token) {
    await rm(claimPath(path, last.token), { force: true });
    return undefined;
  }
  await rename(own, path);
  for (const claim of claims) await rm(claim, { force: true });
  return { owner, isFromLiving: chain.some(({ isLiving }) => isLiving), isLinked: claimed === "linked" };
}

interface Ended extends Holder {
  readonly isLiving: boolean;
}

/** The holder and those who claimed its place, all dead or silent. Throws kind `locked` when one of them is not. */
async function deadChain(
  path: string,
  first: Holder,
  id: string,
  times: LockTimes,
): Promise<readonly Ended[]> {
  const chain: Ended[] = [];
  let place = path;
  let holder: Holder | undefined = first;
  while (holder !== undefined) {
    const verdict = await verdictOn(place, holder, times);
    if (verdict === "holds") throw lockedBy(id, holder);
    chain.push({ ...holder, isLiving: verdict === "silent" });
    place = claimPath(path, holder.token);
    holder = await holderAt(place);
  }
  return chain;
}

/** `silent`: it may still run, but has given no sign of life for too long. */
async function verdictOn(
  place: string,
  holder: Holder,
  times: LockTimes,
): Promise<"holds" | "dead" | "silent"> {
  if (holder.owner !== undefined && lifeOf(holder.owner) === "dead") return "dead";
  const age = Date.now() - holder.heartbeat;
  if (age >= -times.staleMs && age <= times.staleMs) return "holds";
  // The clock may have jumped, or the machine slept: a live owner shows itself within two beats.
  await delay(times.heartbeatMs * 2 + 100);
  const after = await holderAt(place);
  return after?.token === holder.token && after.heartbeat === holder.heartbeat ? "silent" : "holds";
}

async function holderAt(path: string): Promise<Holder | undefined> {
  try {
    const [text, { mtimeMs, ino }] = await Promise.all([readFile(path, "utf8"), stat(path)]);
    const owner = parseOwner(text);
    return { owner, token: owner?.token ?? `unsigned-${ino}`, heartbeat: mtimeMs };
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

function claimPath(path: string, token: string): string {
  return `${path}.after-${token}`;
}

function lockedBy(id: string, holder: Holder | undefined): SessionError<"locked"> {
  const { owner, heartbeat } = holder ?? {};
  if (owner === undefined) {
    return new SessionError("locked", `the session ${id} is being opened by another process; try again`, {
      id,
    });
  }
  const { pid, host, since } = owner;
  const who = pid === process.pid ? `this process (pid ${pid})` : `the process ${pid}`;
  const text = `the session ${id} is open for writing in ${who} since ${new Date(since).toISOString()}; close it there, or fork it`;
  return new SessionError("locked", text, {
    id,
    pid,
    host: host.split(" ")[0] ?? host,
    since,
    ...(heartbeat === undefined ? {} : { heartbeat }),
  });
}
