import { DESCRIPTOR } from "../descriptor.js";
import type { MountKind, PlannedMount } from "../policy/mount-plan.js";

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
