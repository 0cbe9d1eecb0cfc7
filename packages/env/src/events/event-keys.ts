import { EnvError } from "../env-error.js";

/** The event vocabulary `Env.EVENT`: one Symbol per name, for the life of the process. */
export class EventKeys {
  readonly keys: Record<string, symbol> = {};
  readonly #names = new Map<symbol, string>();

  constructor(names: readonly string[]) {
    for (const name of names) this.add(name);
  }

  add(name: string): void {
    const key = Symbol(name);
    Object.defineProperty(this.keys, name, { value: key, enumerable: true });
    this.#names.set(key, name);
  }

  /** The key of a name that was added. */
  keyOf(name: string): symbol {
    const key = this.keys[name];
    if (key === undefined) throw new EnvError("usage", `${name} is no event of Env.`, { argument: name });
    return key;
  }

  nameOf(key: unknown): string | undefined {
    return typeof key === "symbol" ? this.#names.get(key) : undefined;
  }
}

export const CORE_EVENTS: readonly string[] = ["MODELS_CHANGED"];

export const eventKeys: EventKeys = new EventKeys(CORE_EVENTS);
