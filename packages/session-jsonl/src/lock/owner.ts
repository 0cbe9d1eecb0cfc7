import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** What a lock file says of the process that holds it. */
export interface Owner {
  readonly pid: number;
  /** The machine, and where it can be told the process namespace: a pid means something only there. */
  readonly host: string;
  /** Changes with each start of the machine; absent where the system does not say. */
  readonly boot?: string;
  /** When the process started, in the system's own count: two processes may have one pid after each other. */
  readonly start?: string;
  /** Names this hold of the lock. */
  readonly token: string;
  /** Epoch milliseconds. */
  readonly since: number;
  /** Counts up with each take-over. */
  readonly fence: number;
}

/** This process, as it will sign a lock. */
export function thisOwner(token: string, since: number, fence: number): Owner {
  const boot = bootOf();
  const start = processState(process.pid)?.start;
  return {
    pid: process.pid,
    host: hostOf(),
    ...(boot === undefined ? {} : { boot }),
    ...(start === undefined ? {} : { start }),
    token,
    since,
    fence,
  };
}

/** `unknown` when the process is not of this machine. */
export function lifeOf(owner: Owner): "alive" | "dead" | "unknown" {
  if (owner.host !== hostOf()) return "unknown";
  if (owner.boot !== bootOf()) return "dead";
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    // A process of another user may not be asked, but it is there.
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return "dead";
  }
  const state = processState(owner.pid);
  if (state === undefined) return "alive";
  const isAnother = owner.start !== undefined && owner.start !== state.start;
  return state.isGone || isAnother ? "dead" : "alive";
}

/** Undefined for what is no owner. */
export function parseOwner(text: string): Owner | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Whatever stands there, nobody signed it; the caller goes by its age.
    return undefined;
  }
  if (
    typeof value !== "object" ||
    value === null ||
    !("pid" in value && "host" in value && "token" in value)
  ) {
    return undefined;
  }
  const { pid, host: place, token } = value;
  if (!Number.isSafeInteger(pid) || typeof place !== "string" || typeof token !== "string") return undefined;
  const textField = (field: unknown): string | undefined => (typeof field === "string" ? field : undefined);
  const numberField = (field: unknown): number =>
    typeof field === "number" && Number.isFinite(field) ? field : 0;
  const boot = "boot" in value ? textField(value.boot) : undefined;
  const start = "start" in value ? textField(value.start) : undefined;
  return {
    pid: Number(pid),
    host: place,
    ...(boot === undefined ? {} : { boot }),
    ...(start === undefined ? {} : { start }),
    token,
    since: "since" in value ? numberField(value.since) : 0,
    fence: "fence" in value ? numberField(value.fence) : 0,
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

function hostOf(): string {
  try {
    return `${hostname()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    // Not Linux: the name of the machine is all there is.
    return hostname();
  }
}

function bootOf(): string | undefined {
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
