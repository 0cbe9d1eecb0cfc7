import { prefixesOf } from "../policy/path-text.js";

/** One mount as `/proc/self/mountinfo` tells it. */
export interface Mount {
  readonly id: string;
  readonly parent: string;
  readonly path: string;
  readonly writable: boolean;
}

/** The kernel writes blanks, tabs, newlines and backslashes as three octal digits, byte by byte. */
const decodePath = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_all, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));

/** Reads the whole table; lines that are not of the form are left out. */
export function parseMounts(text: string): readonly Mount[] {
  return text.split("\n").flatMap((line) => {
    const [id, parent, , , path, options] = line.split(" ");
    if (!id || !parent || !path || !options) return [];
    return [{ id, parent, path: decodePath(path), writable: options.split(",").includes("rw") }];
  });
}

/** Answers which mount a path leads to; what later mounts cover is out of reach. */
export class MountTable {
  readonly #children = new Map<string, Mount>();
  readonly #mounts: readonly Mount[];
  readonly #root: Mount | undefined;

  constructor(mounts: readonly Mount[]) {
    this.#mounts = mounts;
    const ids = new Set(mounts.map(({ id }) => id));
    this.#root = mounts.find(({ path, parent }) => path === "/" && !ids.has(parent));
    for (const mount of mounts) this.#children.set(`${mount.parent} ${mount.path}`, mount);
  }

  /** The mount in whose tree `path` lies. */
  at(path: string): Mount | undefined {
    let current = this.#root;
    for (const prefix of prefixesOf(path)) {
      let next = current && this.#children.get(`${current.id} ${prefix}`);
      while (next && next !== current) {
        current = next;
        next = this.#children.get(`${current.id} ${prefix}`);
      }
    }
    return current;
  }

  /** The mounts that a path leads to. */
  reachable(): readonly Mount[] {
    return this.#mounts.filter((mount) => this.at(mount.path) === mount);
  }
}
