import { SandboxError } from "../sandbox-error.js";
import { depthOf, foldersBetween, isAtOrBelow } from "./path-text.js";

/** What stands at a path inside. `temporary`: a private folder; the `empty` ones show nothing and take nothing. */
export type MountKind = "write" | "read-only" | "temporary" | "empty-folder" | "empty-file";

export interface PlannedMount {
  readonly path: string;
  readonly kind: MountKind;
}

/** A policy whose paths are real (no link in them) and known to exist. */
export interface ResolvedPolicy {
  readonly writeRoots: readonly string[];
  /** Existing paths to pin. */
  readonly readOnly: readonly string[];
  /** Paths that did not exist; an empty folder holds the place of each. */
  readonly reserved: readonly string[];
  readonly hiddenFolders: readonly string[];
  readonly hiddenFiles: readonly string[];
  readonly readable: readonly string[];
  readonly temporaryFolders: readonly string[];
  /** Of the system, replaced by empty ones. */
  readonly emptiedFolders: readonly string[];
  /** Of the kernel's own files. */
  readonly systemReadOnly: readonly string[];
  readonly systemHidden: readonly string[];
  readonly cwd: string;
}

/** The entry that decides about `path`: the longest one at or above it. Undefined: the read-only root. */
export function governing(plan: readonly PlannedMount[], path: string): PlannedMount | undefined {
  let found: PlannedMount | undefined;
  for (const entry of plan)
    if (isAtOrBelow(path, entry.path) && (!found || entry.path.length > found.path.length)) found = entry;
  return found;
}

/** True if the host's own file stands at `path` inside. */
export function isVisible(plan: readonly PlannedMount[], path: string): boolean {
  const kind = governing(plan, path)?.kind;
  return kind === undefined || kind === "write" || kind === "read-only";
}

const byDepth = (a: PlannedMount, b: PlannedMount): number =>
  depthOf(a.path) - depthOf(b.path) || (a.path < b.path ? -1 : 1);

class Plan {
  readonly #entries = new Map<string, MountKind>();

  list(): readonly PlannedMount[] {
    return [...this.#entries].map(([path, kind]) => ({ path, kind })).sort(byDepth);
  }

  /** The system's own entries: any other one at the same path wins. */
  base(paths: readonly string[], kind: MountKind): void {
    for (const path of paths) this.#entries.set(path, kind);
  }

  add(paths: readonly string[], kind: MountKind, asked: Map<string, string>, name: string): void {
    for (const path of paths) {
      const other = asked.get(path);
      if (other !== undefined && other !== name)
        throw new SandboxError("usage", `policy.${name}: ${path} is also in policy.${other}`, {
          at: `policy.${name}`,
        });
      asked.set(path, name);
      this.#entries.set(path, kind);
    }
  }

  /** A folder above a pin that is a mount of its own cannot be moved away and made anew without the pin. */
  holdAncestors(pins: readonly string[]): void {
    for (const pin of pins) {
      const root = governing(
        this.list().filter(({ kind }) => kind === "write"),
        pin,
      );
      if (!root || root.path === pin) continue;
      for (const folder of foldersBetween(root.path, pin))
        if (!this.#entries.has(folder)) this.#entries.set(folder, "write");
    }
  }

  /** Only what would not be seen otherwise needs a mount. */
  reveal(paths: readonly string[], asked: ReadonlyMap<string, string>): void {
    for (const path of [...paths].sort((a, b) => depthOf(a) - depthOf(b))) {
      if (isVisible(this.list(), path)) continue;
      const field = asked.get(path);
      if (field !== undefined)
        throw new SandboxError("usage", `policy.${field}: ${path} must be seen inside the sandbox`, {
          at: `policy.${field}`,
        });
      this.#entries.set(path, "read-only");
    }
  }
}

/** All mounts, parents before children. Throws kind `usage` where the policy contradicts itself. */
export function planMounts(policy: ResolvedPolicy): readonly PlannedMount[] {
  const plan = new Plan();
  const asked = new Map<string, string>();
  plan.base(policy.temporaryFolders, "temporary");
  plan.base(policy.emptiedFolders, "empty-folder");
  plan.base(policy.systemReadOnly, "read-only");
  plan.base(policy.systemHidden, "empty-file");
  plan.add(policy.writeRoots, "write", asked, "writeRoots");
  const inRoot = (path: string): boolean => governing(plan.list(), path)?.kind === "write";
  const pins = policy.readOnly.filter(inRoot);
  plan.add(pins, "read-only", asked, "readOnly");
  plan.add(policy.reserved.filter(inRoot), "empty-folder", asked, "readOnly");
  plan.holdAncestors([...pins, ...policy.reserved]);
  plan.add(policy.hiddenFolders, "empty-folder", asked, "hidden");
  plan.add(policy.hiddenFiles, "empty-file", asked, "hidden");
  plan.reveal(policy.readable, asked);
  const mounts = plan.list();
  if (!isVisible(mounts, policy.cwd) && governing(mounts, policy.cwd)?.path !== policy.cwd)
    throw new SandboxError("usage", `policy.cwd: ${policy.cwd} cannot be seen inside the sandbox`, {
      at: "policy.cwd",
    });
  return mounts;
}
