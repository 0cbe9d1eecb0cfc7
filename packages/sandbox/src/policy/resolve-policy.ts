import { lstat, realpath } from "node:fs/promises";
import { SandboxError } from "../sandbox-error.js";
import type { ResolvedPolicy } from "./mount-plan.js";
import { foldersBetween, isAtOrBelow, prefixesOf } from "./path-text.js";
import type { SandboxPolicy } from "./policy.js";
import { checkRoot } from "./policy-check.js";
import { isReservedPlace } from "./reserved-places.js";

type FileKind = "folder" | "file" | "link" | "missing";

const TEMPORARY_FOLDERS = ["/tmp", "/var/tmp"];
/** Made by the sandbox itself, so it need not exist outside. */
const SHARED_MEMORY = "/dev/shm";
/** Sockets and secrets of services live here. */
const EMPTIED_FOLDERS = ["/run"];
/** Parts of `/run` without which programs or names are not found. */
const PROGRAMS_OF_RUN = "/run/current-system";
const NAME_SERVERS = "/etc/resolv.conf";
/** Writable for the real root even without capabilities, or of no use but to an attacker. */
const READ_ONLY_PROC = ["sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "scsi", "driver", "mtrr"];
const HIDDEN_PROC = ["kcore", "keys", "key-users", "timer_list", "sched_debug", "latency_stats"];

const failure = (at: string, message: string): SandboxError =>
  new SandboxError("usage", `${at}: ${message}`, { at });

async function kindOf(path: string): Promise<FileKind> {
  try {
    const stats = await lstat(path);
    if (stats.isSymbolicLink()) return "link";
    return stats.isDirectory() ? "folder" : "file";
  } catch {
    // What this process cannot look at, the sandboxed one cannot reach either.
    return "missing";
  }
}

/** Undefined if nothing is there, or if this process may not look at it. */
async function realPathOf(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch {
    // Said by the caller, who knows whether it had to be there.
    return undefined;
  }
}

async function existing(at: string, path: string): Promise<string> {
  const real = await realPathOf(path);
  if (real === undefined) throw failure(at, `${path} does not exist or cannot be looked at`);
  return real;
}

async function existingFolder(at: string, path: string): Promise<string> {
  const real = await existing(at, path);
  if ((await kindOf(real)) !== "folder") throw failure(at, `${path} is not a folder`);
  return real;
}

async function existingOf(paths: readonly string[], kind: FileKind): Promise<readonly string[]> {
  const kinds = await Promise.all(paths.map(kindOf));
  return paths.filter((_path, index) => kinds[index] === kind);
}

interface Root {
  readonly asked: string;
  readonly real: string;
}

async function resolveRoot(asked: string, index: number): Promise<Root> {
  const at = `policy.writeRoots[${index}]`;
  const real = await existingFolder(at, asked);
  // A link may lead where no write root may be.
  checkRoot(at, real);
  return { asked, real };
}

/** `path` as seen from the real write root it lies in; undefined if it lies in none. */
function insideRoot(path: string, roots: readonly Root[]): { root: string; path: string } | undefined {
  const matches = roots.flatMap(({ asked, real }) => {
    if (isAtOrBelow(path, real)) return [{ root: real, path }];
    return isAtOrBelow(path, asked) ? [{ root: real, path: real + path.slice(asked.length) }] : [];
  });
  return matches.sort((a, b) => b.root.length - a.root.length)[0];
}

interface Pins {
  readonly readOnly: Set<string>;
  readonly reserved: Set<string>;
}

/** `path` as seen from the real write root it leads into, when it is written by way of a link. */
async function throughLinks(
  path: string,
  roots: readonly Root[],
): Promise<{ root: string; path: string } | undefined> {
  for (const part of prefixesOf(path)) {
    const real = await realPathOf(part);
    // Further down, a link may lead out of the root again: that is for the walk below it.
    const found = real === undefined ? undefined : insideRoot(real, roots);
    if (found) return { root: found.root, path: found.path + path.slice(part.length) };
  }
  return undefined;
}

/** Walks down from the write root: what is missing is reserved at its first missing part. */
async function resolvePin(at: string, pin: string, roots: readonly Root[], pins: Pins): Promise<void> {
  const found = insideRoot(pin, roots) ?? (await throughLinks(pin, roots));
  // Outside every write root all is read-only anyway.
  if (!found) return;
  if (found.path === found.root) throw failure(at, `${pin} is a write root itself`);
  for (const part of [...foldersBetween(found.root, found.path), found.path]) {
    const kind = await kindOf(part);
    if (kind === "link")
      throw failure(
        at,
        `${pin} cannot be kept read-only: ${part} is a symbolic link, which could be swapped`,
      );
    if (kind === "missing" || (kind === "folder" && (await isReservedPlace(part)))) {
      pins.reserved.add(part);
      return;
    }
    if (kind === "file" || part === found.path) {
      pins.readOnly.add(part);
      return;
    }
  }
}

async function resolvePins(policy: SandboxPolicy, roots: readonly Root[]): Promise<Pins> {
  const pins: Pins = { readOnly: new Set(), reserved: new Set() };
  for (const [index, pin] of (policy.readOnly ?? []).entries())
    await resolvePin(`policy.readOnly[${index}]`, pin, roots, pins);
  // Nothing can be made below what is read-only already.
  for (const path of [...pins.reserved])
    if ([...pins.readOnly].some((pin) => isAtOrBelow(path, pin))) pins.reserved.delete(path);
  return pins;
}

async function systemReadable(network: SandboxPolicy["network"]): Promise<readonly string[]> {
  const wanted = network === "full" ? [PROGRAMS_OF_RUN, NAME_SERVERS] : [PROGRAMS_OF_RUN];
  const real = await Promise.all(
    wanted.map(async (path) => {
      // A link is followed inside too; the place itself must be there when it stands below an emptied folder.
      const target = await realPathOf(path);
      const isLost = (place: string): boolean => EMPTIED_FOLDERS.some((folder) => isAtOrBelow(place, folder));
      return target !== undefined && isLost(target) ? [target] : [];
    }),
  );
  return real.flat();
}

/** Follows links, and finds out what is there. Throws kind `usage` that names the field that is wrong. */
export async function resolvePolicy(
  policy: SandboxPolicy,
  runtime: readonly string[],
): Promise<ResolvedPolicy> {
  const roots = await Promise.all(policy.writeRoots.map((root, index) => resolveRoot(root, index)));
  const pins = await resolvePins(policy, roots);
  const hidden = (await Promise.all((policy.hidden ?? []).map(realPathOf))).filter(
    (path): path is string => path !== undefined,
  );
  const readable = await Promise.all(
    (policy.readable ?? []).map((path, index) => existing(`policy.readable[${index}]`, path)),
  );
  const proc = (names: readonly string[]): readonly string[] => names.map((name) => `/proc/${name}`);
  return {
    writeRoots: roots.map(({ real }) => real),
    readOnly: [...pins.readOnly],
    reserved: [...pins.reserved],
    hiddenFolders: await existingOf(hidden, "folder"),
    hiddenFiles: await existingOf(hidden, "file"),
    readable: [...readable, ...runtime, ...(await systemReadable(policy.network))],
    temporaryFolders: [...(await existingOf(TEMPORARY_FOLDERS, "folder")), SHARED_MEMORY],
    emptiedFolders: await existingOf(EMPTIED_FOLDERS, "folder"),
    systemReadOnly: [
      ...(await existingOf(proc(READ_ONLY_PROC), "folder")),
      ...(await existingOf(proc(READ_ONLY_PROC), "file")),
    ],
    systemHidden: await existingOf(proc(HIDDEN_PROC), "file"),
    cwd: await existingFolder("policy.cwd", policy.cwd),
  };
}
