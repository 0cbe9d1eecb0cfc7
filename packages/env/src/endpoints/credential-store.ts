import { isDeepStrictEqual } from "node:util";
import type { AuthRecord } from "@ashlar/context/provider";
import { EnvError } from "../env-error.js";
import type { Credential } from "./credential.js";
import type { CredentialFiles, CredentialScope } from "./credential-files.js";

/** Where a credential lives, strongest first. */
export type CredentialPlace = "memory" | CredentialScope;
const PLACES: readonly CredentialPlace[] = ["memory", "project", "user"];

export interface StoredCredential extends Credential {
  readonly place: CredentialPlace;
}

/** Takes back everything that was done since it was made. */
export type Rollback = () => Promise<void>;

/** The credentials of one Env: in memory, in the project, in the user's folder. */
export class CredentialStore {
  readonly #files: ReadonlyMap<CredentialScope, CredentialFiles>;
  readonly #held: Readonly<Record<CredentialPlace, Map<string, Credential>>>;

  constructor(files: readonly CredentialFiles[]) {
    this.#files = new Map(files.map((one) => [one.scope, one]));
    this.#held = { memory: new Map(), project: this.#readAll("project"), user: this.#readAll("user") };
  }

  names(): ReadonlySet<string> {
    return new Set(PLACES.flatMap((place) => [...this.#held[place].keys()]));
  }

  /** All credentials of the endpoint, strongest first. */
  of(endpoint: string): readonly StoredCredential[] {
    return PLACES.flatMap((place) => {
      const credential = this.#held[place].get(endpoint);
      return credential === undefined ? [] : [{ ...credential, place }];
    });
  }

  fileOf(endpoint: string, place: CredentialPlace): string | undefined {
    return place === "memory" ? undefined : this.#files.get(place)?.fileOf(endpoint);
  }

  /** Throws kind `usage` when this Env reads and writes no files of the scope. */
  requireScope(scope: CredentialScope): void {
    if (this.#files.has(scope)) return;
    throw new EnvError(
      "usage",
      `this Env keeps no files of the scope "${scope}"; leave the scope out to log in in memory only`,
      {
        argument: "scope",
      },
    );
  }

  /** Keeps a credential and stores it when the place is a file. */
  async put(endpoint: string, place: CredentialPlace, credential: Credential): Promise<void> {
    if (place !== "memory") await this.#files.get(place)?.write(endpoint, credential);
    this.#held[place].set(endpoint, credential);
  }

  /** Keeps a credential in memory only. */
  hold(endpoint: string, credential: Credential): void {
    this.#held.memory.set(endpoint, credential);
  }

  /** Forgets the endpoint everywhere. */
  async remove(endpoint: string): Promise<void> {
    for (const files of this.#files.values()) {
      if ((await files.text(endpoint)) !== undefined) await files.write(endpoint, undefined);
    }
    for (const place of PLACES) this.#held[place].delete(endpoint);
  }

  /** Remembers file and memory as they are now. */
  async snapshot(endpoint: string, place: CredentialPlace): Promise<Rollback> {
    const files = place === "memory" ? undefined : this.#files.get(place);
    const text = await files?.text(endpoint);
    const held = PLACES.map((one) => [one, this.#held[one].get(endpoint)] as const);
    return async () => {
      for (const [one, credential] of held) {
        if (credential === undefined) this.#held[one].delete(endpoint);
        else this.#held[one].set(endpoint, credential);
      }
      if (files !== undefined && (await files.text(endpoint)) !== text) await files.restore(endpoint, text);
    };
  }

  /** A login in memory yields to one that was stored. */
  forgetMemory(endpoint: string): void {
    this.#held.memory.delete(endpoint);
  }

  /** Reads the endpoint's files again, which win over memory; true when a credential is other than before. */
  async reload(endpoint: string): Promise<boolean> {
    const before = this.of(endpoint).map(({ auth, origin }) => ({ auth, origin }));
    for (const [scope, files] of this.#files) {
      const old = this.#held[scope].get(endpoint);
      const credential = await files.read(endpoint);
      if (credential === undefined) this.#held[scope].delete(endpoint);
      else this.#held[scope].set(endpoint, credential);
      if (credential !== undefined && !isDeepStrictEqual(old?.auth, credential.auth))
        this.forgetMemory(endpoint);
    }
    const after = this.of(endpoint).map(({ auth, origin }) => ({ auth, origin }));
    return !isDeepStrictEqual(before, after);
  }

  /** Replaces the credentials that are in use, such as a refreshed token, where they are kept. */
  async replaceAuth(endpoint: string, origin: string, auth: AuthRecord): Promise<void> {
    const used = this.of(endpoint).find((credential) => credential.origin === origin);
    const { place, ...credential } = used ?? { place: "memory" as const, origin };
    await this.put(endpoint, place, { ...credential, auth });
  }

  #readAll(scope: CredentialScope): Map<string, Credential> {
    return this.#files.get(scope)?.readAll() ?? new Map();
  }
}
