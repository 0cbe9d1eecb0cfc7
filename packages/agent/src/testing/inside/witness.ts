import childProcess from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Attempt } from "../pack-message.js";

/** Functions that change a file, with the place of its path among their arguments. */
const WRITERS: Readonly<Record<string, number>> = {
  appendFile: 0,
  chmod: 0,
  chown: 0,
  copyFile: 1,
  cp: 1,
  lchmod: 0,
  lchown: 0,
  link: 1,
  lutimes: 0,
  mkdir: 0,
  mkdtemp: 0,
  rename: 1,
  rm: 0,
  rmdir: 0,
  symlink: 1,
  truncate: 0,
  unlink: 0,
  utimes: 0,
  writeFile: 0,
};
const STARTERS = ["exec", "execFile", "execFileSync", "execSync", "fork", "spawn", "spawnSync"] as const;
const { O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_APPEND } = fs.constants;
const WRITING_FLAGS = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;

/**
 * Notes what the code of this process tries to change by Node's functions, also where the sandbox refuses it and the
 * code keeps quiet. It finds mistakes; the sandbox is what holds.
 */
export class Witness {
  #attempts = new Map<string, Attempt>();

  constructor() {
    for (const [name, place] of Object.entries(WRITERS)) {
      for (const [owner, member] of membersOf(name))
        this.#watch(owner, member, (args) => fileTarget(args[place]));
    }
    for (const [owner, member] of membersOf("open"))
      this.#watch(owner, member, ([path, flags]) => (opensForWriting(flags) ? fileTarget(path) : undefined));
    this.#watch(fs, "createWriteStream", ([path]) => fileTarget(path));
    for (const name of STARTERS) this.#watch(childProcess, name, ([program]) => String(program));
    syncBuiltinESMExports();
  }

  /** What was tried since the last time this was asked. */
  take(): readonly Attempt[] {
    const attempts = [...this.#attempts.values()];
    this.#attempts = new Map();
    return attempts;
  }

  #watch(owner: object, by: string, targetOf: (args: readonly unknown[]) => string | undefined): void {
    const original: unknown = Reflect.get(owner, by);
    if (typeof original !== "function") return;
    const watched = new Proxy(original, {
      apply: (target, self, args: readonly unknown[]) => {
        const path = targetOf(args);
        if (path !== undefined) this.#attempts.set(`${by} ${path}`, { by, target: path });
        return Reflect.apply(target, self, args);
      },
    });
    Reflect.set(owner, by, watched);
  }
}

function membersOf(name: string): readonly (readonly [object, string])[] {
  return [
    [fs, name],
    [fs, `${name}Sync`],
    [fs.promises, name],
  ];
}

/** Undefined for a descriptor, which was opened before, and for devices. */
function fileTarget(path: unknown): string | undefined {
  if (path instanceof URL) return fileURLToPath(path);
  if (typeof path !== "string" && !(path instanceof Uint8Array)) return undefined;
  const full = resolve(typeof path === "string" ? path : new TextDecoder().decode(path));
  return full.startsWith("/dev/") ? undefined : full;
}

function opensForWriting(flags: unknown): boolean {
  if (typeof flags === "number") return (flags & WRITING_FLAGS) !== 0;
  return typeof flags === "string" && /[wa+]/.test(flags);
}
