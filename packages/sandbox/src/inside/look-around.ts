import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { inheritedDescriptors } from "../linux/descriptors.js";
import type { InsideReport } from "../linux/inside-report.js";
import { parseMounts } from "../linux/mount-table.js";

const LAST_OF_OURS = 4;
const NAMESPACES = ["user", "pid", "mnt", "ipc", "uts", "net"];

const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // Not there: the host finds what it looks for missing.
    return "";
  }
};

const link = (path: string): string => {
  try {
    return readlinkSync(path);
  } catch {
    // As above.
    return "";
  }
};

/** Open files, and whatever else a program started here would inherit. */
function openDescriptors(): readonly string[] {
  const inherited = new Set(inheritedDescriptors());
  return readdirSync("/proc/self/fd")
    .map(Number)
    .filter((descriptor) => descriptor > LAST_OF_OURS)
    .flatMap((descriptor) => {
      const target = link(`/proc/self/fd/${descriptor}`);
      return target.startsWith("/") || inherited.has(descriptor) ? [target] : [];
    })
    .filter((target) => target !== "" && !/^\/proc\/\d+\/fd$/.test(target));
}

/** Not allowed to be looked at, because of a folder above it: one that this place holds read-only. */
const isUnreachable = (path: string): boolean => {
  try {
    statSync(path);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EACCES";
  }
};

/** The facts about this place; empty texts where the system has no `/proc`. */
export function lookAround(): InsideReport {
  const mounts = read("/proc/self/mountinfo");
  const writable = parseMounts(mounts).filter((mount) => mount.writable);
  return {
    status: read("/proc/self/status"),
    firstStatus: read("/proc/1/status"),
    mounts,
    limits: read("/proc/self/limits"),
    namespaces: Object.fromEntries(NAMESPACES.map((name) => [name, link(`/proc/self/ns/${name}`)])),
    interfaces: [...read("/proc/net/dev").matchAll(/^\s*([^\s:]+):/gm)].map(([, name]) => name ?? ""),
    unreachable: writable.map(({ path }) => path).filter(isUnreachable),
    descriptors: process.platform === "linux" ? openDescriptors() : [],
  };
}
