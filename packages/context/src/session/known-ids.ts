/** A set of ids for long sessions: ids that rise, as those of a working clock do, are only listed, never hashed. */
export class KnownIds {
  readonly #rising: string[] = [];
  readonly #others = new Set<string>();
  /** The last of the rising ones. */
  #highest: string | undefined;

  add(id: string): void {
    if (this.#highest === undefined || id > this.#highest) {
      this.#rising.push(id);
      this.#highest = id;
    } else this.#others.add(id);
  }

  has(id: string): boolean {
    if (this.#highest === undefined || id > this.#highest) return false;
    return this.#isRising(id) || this.#others.has(id);
  }

  #isRising(id: string): boolean {
    let low = 0;
    let high = this.#rising.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const found = this.#rising[middle] ?? "";
      if (found === id) return true;
      if (found < id) low = middle + 1;
      else high = middle;
    }
    return false;
  }
}
