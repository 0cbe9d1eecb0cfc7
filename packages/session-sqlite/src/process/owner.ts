import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { isObject } from "@ashlar/context";

/** A process, so that another one can tell whether it still runs. */
export interface Owner {
  readonly pid: number;
  /** The machine and, on Linux, its namespace of pids: a pid means something only there. */
  readonly host: string;
  /** Changes with each start of the machine. Linux only. */
  readonly boot?: string;
  /** When the process started, in ticks since the boot: pids come again. Linux only. */
  readonly start?: string;
  /** Names one hold, or one open repository. */
  readonly token: string;
}

export function thisOwner(token: string): Owner {
  const boot = textOf("/proc/sys/kernel/random/boot_id");
  const start = statusOf(process.pid)?.start;
  return {
    pid: process.pid,
    host: hostOf(),
    ...(boot === undefined ? {} : { boot }),
    ...(start === undefined ? {} : { start }),
    token,
  };
}

/** Undefined for text that no process has signed. */
export function parseOwner(text: unknown): Owner | undefined {
  const value = typeof text === "string" ? parsed(text) : undefined;
  if (!isObject(value)) return undefined;
  const { pid, host, boot, start, token } = value;
  if (typeof pid !== "number" || !Number.isSafeInteger(pid) || pid < 1) return undefined;
  if (typeof host !== "string" || typeof token !== "string") return undefined;
  return {
    pid,
    host,
    ...(typeof boot === "string" ? { boot } : {}),
    ...(typeof start === "string" ? { start } : {}),
    token,
  };
}

/** True when the process has certainly ended; of another machine nothing is certain. */
export function isDead(owner: Owner): boolean {
  if (owner.host !== hostOf()) return false;
  if (owner.boot !== textOf("/proc/sys/kernel/random/boot_id")) return true;
  if (!hasProcess(owner.pid)) return true;
  const status = statusOf(owner.pid);
  if (status === undefined) return false;
  return status.hasEnded || (owner.start !== undefined && owner.start !== status.start);
}

function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, for somebody else.
    return !(isObject(error) && error.code === "ESRCH");
  }
}

/** The name of a program stands in brackets and may hold anything, so fields are counted from its end. */
function statusOf(pid: number): { readonly start: string; readonly hasEnded: boolean } | undefined {
  const text = textOf(`/proc/${pid}/stat`);
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ") ?? [];
  const [state, start] = [fields[0], fields[19]];
  if (state === undefined || start === undefined) return undefined;
  return { start, hasEnded: state === "Z" || state === "X" };
}

function hostOf(): string {
  try {
    return `${hostname()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    // No Linux: the name of the machine is all there is.
    return hostname();
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    // No Linux, or the process has just ended: nothing can be told either way.
    return undefined;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Cut off or foreign; the caller treats it as unsigned.
    return undefined;
  }
}
