import type { SessionRepository, StoredSession } from "@ashlar/context";
import { inSuiteCodes } from "./store-turns.js";
import { SuiteView, suiteMetadata } from "./suite-session.js";
import type { SuiteForkOptions, SuiteMetadata, SuiteRepository, SuiteSession } from "./suite-shapes.js";

/** A repository of ours by the names of the suite, which opens a session again without closing it first. */
export class OutsideRepository {
  readonly #repository: SessionRepository;
  readonly #open = new Map<string, StoredSession>();

  constructor(repository: SessionRepository) {
    this.#repository = repository;
  }

  /** As the type that the suite asks for. */
  asSuite(): SuiteRepository {
    // Theirs is a class with private members, which nobody else's can have; of it only the methods here are called.
    return this as object as SuiteRepository;
  }

  create({ id, parentSessionId }: { id?: string; parentSessionId?: string }): Promise<SuiteSession> {
    return inSuiteCodes(async () =>
      this.#held(
        await this.#repository.create({
          ...(id !== undefined && { id }),
          ...(parentSessionId !== undefined && { parent: { session: parentSessionId } }),
        }),
      ),
    );
  }

  open({ id }: SuiteMetadata): Promise<SuiteSession> {
    return inSuiteCodes(async () => {
      await this.#letGo(id);
      return this.#held(await this.#repository.open(id));
    });
  }

  async list(): Promise<SuiteMetadata[]> {
    return (await this.#repository.list()).map(suiteMetadata);
  }

  delete({ id }: SuiteMetadata): Promise<void> {
    return inSuiteCodes(async () => {
      await this.#letGo(id);
      await this.#repository.delete(id);
    });
  }

  fork(source: SuiteMetadata, options: SuiteForkOptions): Promise<SuiteSession> {
    const { id, ...target } = options;
    const entry = "entryId" in target ? target.entryId : undefined;
    const position = "position" in target ? target.position : undefined;
    return inSuiteCodes(
      async () => {
        const made = await this.#repository.fork(source.id, {
          scope: target.scope ?? "branch",
          ...(id !== undefined && { id }),
          ...(entry !== undefined && { entry }),
          ...(target.scope !== "tree" && { position: position ?? (entry === undefined ? "at" : "before") }),
        });
        return this.#held(await this.#repository.open(made.id));
      },
      { usage: "invalid_fork_target" },
    );
  }

  async closeAll(): Promise<void> {
    for (const id of [...this.#open.keys()]) await this.#letGo(id);
  }

  #held(store: StoredSession): SuiteSession {
    this.#open.set(store.info.id, store);
    // As in `asSuite`.
    return new SuiteView(store) as object as SuiteSession;
  }

  async #letGo(id: string): Promise<void> {
    await this.#open.get(id)?.close();
    this.#open.delete(id);
  }
}
