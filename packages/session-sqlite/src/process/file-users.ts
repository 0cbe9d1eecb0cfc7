import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SqliteDriver } from "../driver/driver.js";
import { isDead, type Owner, parseOwner } from "./owner.js";

/**
 * Who has the database open, one file each. The two drivers lock in ways that do not see each other, so a file is only
 * ever used through one of them at a time.
 */
export class FileUsers {
  readonly folder: string;
  readonly own: string;
  readonly #driver: SqliteDriver;

  constructor(file: string, driver: SqliteDriver, owner: Owner) {
    this.folder = `${file}-users`;
    this.#driver = driver;
    this.own = join(this.folder, nameOf(driver, owner.token));
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    writeFileSync(this.own, JSON.stringify(owner), { mode: 0o600 });
  }

  /** A living process that uses the other driver; files of dead ones are cleared away. */
  stranger(): Owner | undefined {
    for (const name of readdirSync(this.folder)) {
      const path = join(this.folder, name);
      const owner = path === this.own ? undefined : readOwner(path);
      if (owner === undefined) continue;
      if (isDead(owner)) rmSync(path, { force: true });
      else if (!name.startsWith(prefixOf(this.#driver))) return owner;
    }
    return undefined;
  }

  /** Anybody living beside this one. */
  other(): Owner | undefined {
    return readdirSync(this.folder)
      .map((name) => join(this.folder, name))
      .filter((path) => path !== this.own)
      .map(readOwner)
      .find((owner) => owner !== undefined && !isDead(owner));
  }

  leave(): void {
    rmSync(this.own, { force: true });
  }
}

function prefixOf({ locking }: SqliteDriver): string {
  return `${locking}-`;
}

function nameOf(driver: SqliteDriver, token: string): string {
  return `${prefixOf(driver)}${token}`;
}

export function readOwner(path: string): Owner | undefined {
  try {
    return parseOwner(readFileSync(path, "utf8"));
  } catch {
    // Gone meanwhile: its owner has left.
    return undefined;
  }
}
