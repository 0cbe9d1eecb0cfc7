import { sep } from "node:path";

/** A map that can be looked at only. */
export class FolderMap<V> implements ReadonlyMap<string, V> {
  readonly #map: Map<string, V>;

  constructor(map: Map<string, V>) {
    this.#map = map;
    Object.freeze(this);
  }

  get size(): number {
    return this.#map.size;
  }
  get(key: string): V | undefined {
    return this.#map.get(key);
  }
  has(key: string): boolean {
    return this.#map.has(key);
  }
  forEach(callback: (value: V, key: string, map: ReadonlyMap<string, V>) => void): void {
    for (const [key, value] of this.#map) callback(value, key, this);
  }
  entries(): MapIterator<[string, V]> {
    return this.#map.entries();
  }
  keys(): MapIterator<string> {
    return this.#map.keys();
  }
  values(): MapIterator<V> {
    return this.#map.values();
  }
  [Symbol.iterator](): MapIterator<[string, V]> {
    return this.#map.entries();
  }
}

/** The shortest suffix of whole path parts that none of the others ends with. */
export function shortestSuffix(folder: string, others: readonly string[]): string {
  const parts = folder.split(sep).filter((part) => part !== "");
  for (let count = 1; count < parts.length; count += 1) {
    const suffix = parts.slice(-count).join(sep);
    if (!others.some((other) => other === suffix || other.endsWith(sep + suffix))) return suffix;
  }
  return folder;
}
