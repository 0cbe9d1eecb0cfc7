import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { SandboxLimits, SandboxPolicy } from "../../src/index.js";

export interface Playground {
  readonly base: string;
  readonly project: string;
  readonly outside: string;
  readonly home: string;
  /** The built entry of a copy of the package that everybody can read. */
  readonly entry: string;
  readonly soak: string;
  readonly remove: () => void;
}

const packageFolder = fileURLToPath(new URL("../..", import.meta.url));

/** A place that a sandbox does not replace by an empty one of its own, unlike the temporary folders. */
function visibleParent(): string {
  if (process.getuid?.() === 0) return "/var/lib";
  const cache = join(homedir(), ".cache");
  mkdirSync(cache, { recursive: true });
  return cache;
}

/** A project in a workspace, with things around it that must stay as they are; all of it owned by `owner`. */
export function makePlayground(owner: { readonly uid: number; readonly gid: number }): Playground {
  const base = mkdtempSync(join(visibleParent(), "ashlar-sandbox-test-"));
  const [project, outside, home] = [join(base, "work/project"), join(base, "outside"), join(base, "home")];
  for (const folder of [join(project, ".git/hooks"), outside, join(home, ".ssh"), join(base, "run")])
    mkdirSync(folder, { recursive: true });
  const files = {
    [join(project, ".git/config")]: "[core]\n",
    [join(project, ".git/HEAD")]: "ref: refs/heads/main\n",
    [join(outside, "secret.txt")]: "as it was\n",
    [join(home, ".bashrc")]: "# as it was\n",
    [join(home, ".ssh/id_ed25519")]: "PRIVATE\n",
    [join(home, ".netrc")]: "machine example\n",
  };
  for (const [path, text] of Object.entries(files)) writeFileSync(path, text);
  for (const part of ["dist", "soak", "package.json"])
    cpSync(join(packageFolder, part), join(base, "package", part), { recursive: true });
  execFileSync("chown", ["-R", `${owner.uid}:${owner.gid}`, base]);
  return {
    base,
    project,
    outside,
    home,
    entry: join(base, "package/dist/index.js"),
    soak: join(base, "package/soak/processes.mjs"),
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}

export const LIMITS: SandboxLimits = { timeMs: 120_000, outputBytes: 1_000_000, fileBytes: 64 * 1024 * 1024 };

/** A policy for the project with nothing hidden and nothing pinned. */
export const policyFor = (project: string, changes: Partial<SandboxPolicy> = {}): SandboxPolicy => ({
  writeRoots: [project],
  network: "none",
  environment: { PATH: "/usr/local/bin:/usr/bin:/bin" },
  cwd: project,
  limits: LIMITS,
  ...changes,
});
