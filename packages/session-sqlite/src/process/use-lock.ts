import { linkSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { isObject } from "@ashlar/context";
import { readOwner } from "./file-users.js";
import { isDead, type Owner } from "./owner.js";

/**
 * One user of the file at a time, for a driver whose own lock outlives a killed process. It is held for the length of a
 * transaction. A dead owner's place is taken by whoever first links a claim that names the hold it ends; a living
 * owner's never is, because nothing could stop it from writing on.
 */
export class UseLock {
  readonly #file: string;
  readonly #path: string;
  /** The file that says who this is; the lock is another name for it. */
  readonly #own: string;

  constructor(file: string, own: string) {
    this.#file = file;
    this.#path = `${file}-use`;
    this.#own = own;
  }

  /** Undefined when it is taken; else who has it. What a dead process left of the driver's own lock is cleared away. */
  take(): { readonly holder: Owner | undefined } | undefined {
    if (!this.#link(this.#path)) {
      const refused = this.#takeOver();
      if (refused !== undefined) return refused;
    }
    this.#clearFolder();
    return undefined;
  }

  release(): void {
    rmSync(this.#path, { force: true });
  }

  #takeOver(): { readonly holder: Owner | undefined } | undefined {
    const first = readOwner(this.#path);
    const claims: string[] = [];
    let holder = first;
    while (holder !== undefined) {
      if (!isDead(holder)) return { holder };
      const claim = `${this.#path}-after-${holder.token}`;
      if (this.#link(claim)) {
        claims.push(claim);
        return this.#replace(first, claims);
      }
      claims.push(claim);
      holder = readOwner(claim);
    }
    return { holder: undefined };
  }

  /** Holds the last claim; the lock is still the dead owner's unless somebody was faster. */
  #replace(
    dead: Owner | undefined,
    claims: readonly string[],
  ): { readonly holder: Owner | undefined } | undefined {
    const [last] = claims.slice(-1);
    const current = readOwner(this.#path);
    if (current === undefined || current.token !== dead?.token) {
      if (last !== undefined) rmSync(last, { force: true });
      return { holder: current };
    }
    const staged = `${this.#own}-next`;
    rmSync(staged, { force: true });
    linkSync(this.#own, staged);
    renameSync(staged, this.#path);
    for (const claim of claims) rmSync(claim, { force: true });
    return undefined;
  }

  #link(path: string): boolean {
    try {
      linkSync(this.#own, path);
      return true;
    } catch (error) {
      if (isObject(error) && error.code === "EEXIST") return false;
      throw error;
    }
  }

  #clearFolder(): void {
    try {
      rmdirSync(`${this.#file}.lock`);
    } catch (error) {
      if (!(isObject(error) && error.code === "ENOENT")) throw error;
    }
  }
}
