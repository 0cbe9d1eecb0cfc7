import { randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { isRecord } from "../task/plain-value.js";

/** What a claim says of the process that made it. */
export interface Owner {
  readonly pid: number;
  /** The machine, and where it can be told the process namespace: a pid means something only there. */
  readonly host: string;
  /** Changes with each start of the machine; absent where the system does not say. */
  readonly boot?: string;
  /** When the process started, in the system's own count: two processes may have one pid after each other. */
  readonly start?: string;
  /** Names one scheduler of the process. */
  readonly token: string;
}

/** This process, as it signs a claim. */
export function createOwner(): Owner {
  const boot = bootId();
  const start = processState(process.pid)?.start;
  return {
    pid: process.pid,
    host: hostName(),
    ...(boot !== undefined && { boot }),
    ...(start !== undefined && { start }),
    token: randomUUID(),
  };
}

/** `unknown`: a process of another machine or container, or one of this pid on a system that does not say since when. */
export function lifeOf(owner: Owner): "alive" | "dead" | "unknown" {
  if (owner.host !== hostName()) return "unknown";
  if (owner.boot !== bootId()) return "dead";
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    // A process of another user may not be asked, but it is there.
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return "dead";
  }
  const state = processState(owner.pid);
  if (state === undefined) return "unknown";
  const isAnother = owner.start !== undefined && owner.start !== state.start;
  return state.isGone || isAnother ? "dead" : "alive";
}

/** Undefined for what nobody signed. */
export function readOwner(value: unknown): Owner | undefined {
  if (!isRecord(value)) return undefined;
  const { pid, host, boot, start, token } = value;
  if (typeof pid !== "number" || !Number.isSafeInteger(pid) || pid <= 0) return undefined;
  if (typeof host !== "string" || typeof token !== "string") return undefined;
  return {
    pid,
    host,
    token,
    ...(typeof boot === "string" && { boot }),
    ...(typeof start === "string" && { start }),
  };
}

interface ProcessState {
  readonly start: string;
  /** Killed, and only its parent has not looked yet. */
  readonly isGone: boolean;
}

/** Linux only; the name in brackets may hold blanks, so fields are counted from behind it. */
function processState(pid: number): ProcessState | undefined {
  const stat = textOf(`/proc/${pid}/stat`);
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  const start = fields?.[19];
  if (fields === undefined || start === undefined) return undefined;
  return { start, isGone: fields[0] === "Z" || fields[0] === "X" };
}

function hostName(): string {
  try {
    return `${hostname()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    // Not Linux: the name of the machine is all there is.
    return hostname();
  }
}

function bootId(): string | undefined {
  return textOf("/proc/sys/kernel/random/boot_id");
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    // Not Linux, or the process has ended; both mean that nothing can be told.
    return undefined;
  }
}
