import type { MountKind, PlannedMount } from "../policy/mount-plan.js";

/** What bubblewrap finds on its descriptors; an empty file of its own each from `firstEmptyFile` on. */
export const DESCRIPTOR = {
  toInside: 3,
  fromInside: 4,
  options: 5,
  filter: 6,
  status: 7,
  firstEmptyFile: 8,
} as const;

export interface BubblewrapOptions {
  readonly plan: readonly PlannedMount[];
  readonly network: "none" | "full";
  readonly temporaryBytes: number;
}

const ISOLATION = [
  "--unshare-user",
  "--disable-userns",
  "--unshare-pid",
  "--unshare-ipc",
  "--unshare-uts",
  "--unshare-cgroup-try",
] as const;

const LIFE = [
  "--cap-drop",
  "ALL",
  "--die-with-parent",
  "--new-session",
  "--seccomp",
  String(DESCRIPTOR.filter),
  "--json-status-fd",
  String(DESCRIPTOR.status),
  "--chdir",
  "/",
] as const;

/** How many descriptors of empty files the options refer to. */
export const emptyFilesOf = (plan: readonly PlannedMount[]): number =>
  plan.filter(({ kind }) => kind === "empty-file").length;

function mountOptions({ plan, temporaryBytes }: BubblewrapOptions): readonly string[] {
  let emptyFile: number = DESCRIPTOR.firstEmptyFile;
  const optionsOf: Readonly<Record<MountKind, (path: string) => readonly string[]>> = {
    write: (path) => ["--bind", path, path],
    "read-only": (path) => ["--ro-bind", path, path],
    temporary: (path) => ["--perms", "1777", "--size", String(temporaryBytes), "--tmpfs", path],
    "empty-folder": (path) => ["--tmpfs", path],
    "empty-file": (path) => ["--ro-bind-data", String(emptyFile++), path],
  };
  return plan.flatMap(({ path, kind }) => optionsOf[kind](path));
}

/** Every option of the hardened profile; handed over NUL-separated, so that no path needs quoting. */
export function bubblewrapOptions(options: BubblewrapOptions): readonly string[] {
  const emptied = options.plan.filter(({ kind }) => kind === "empty-folder");
  return [
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    ...mountOptions(options),
    // Only now: until here places below them may have been mounted.
    ...emptied.flatMap(({ path }) => ["--remount-ro", path]),
    ...["--remount-ro", "/dev"],
    ...ISOLATION,
    ...(options.network === "none" ? ["--unshare-net"] : []),
    ...LIFE,
  ];
}

/** As `--args` takes them. */
export const encodeOptions = (options: readonly string[]): Uint8Array =>
  new TextEncoder().encode(options.map((option) => `${option}\0`).join(""));

/**
 * Sets the limits that a shell can set, then becomes the program. Shells name the process limit differently; a limit
 * that fails is a lower one of the host's, or seen when the sandbox is looked at from the inside.
 */
const LIMITER = `ulimit -c 0
ulimit -f "$1" 2>/dev/null
ulimit -u "$2" 2>/dev/null || ulimit -p "$2" 2>/dev/null
shift 2
exec "$@"`;

export const FILE_BLOCK_BYTES = 512;

/** The command that bubblewrap starts: the limits, then `program`. */
export function limitedCommand(
  program: readonly string[],
  limits: { readonly fileBytes: number; readonly processes: number },
): readonly string[] {
  const blocks = Math.floor(limits.fileBytes / FILE_BLOCK_BYTES);
  return ["/bin/sh", "-c", LIMITER, "sh", String(blocks), String(limits.processes), ...program];
}
