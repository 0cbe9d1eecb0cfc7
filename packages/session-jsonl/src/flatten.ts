/** The members of chunks one after another. A member of a chunk that is there costs one promise, not a generator's three. */
export function flatten<Value>(chunks: () => AsyncIterable<readonly Value[]>): AsyncIterable<Value> {
  return { [Symbol.asyncIterator]: () => new Members(chunks()[Symbol.asyncIterator]()) };
}

class Members<Value> implements AsyncIterator<Value, undefined> {
  readonly #chunks: AsyncIterator<readonly Value[]>;
  #members: readonly Value[] = [];
  #position = 0;
  #isDone = false;
  /** Set while a chunk is on its way: who asks meanwhile comes after it. */
  #fetching: Promise<unknown> | undefined;

  constructor(chunks: AsyncIterator<readonly Value[]>) {
    this.#chunks = chunks;
  }

  next(): Promise<IteratorResult<Value, undefined>> {
    if (this.#fetching !== undefined) return this.#fetching.then(() => this.next());
    const value = this.#members[this.#position];
    if (value !== undefined) {
      this.#position += 1;
      return Promise.resolve({ value, done: false });
    }
    if (this.#isDone) return Promise.resolve({ value: undefined, done: true });
    this.#fetching = this.#fetch();
    return this.#fetching.then(() => this.next());
  }

  async return(): Promise<IteratorResult<Value, undefined>> {
    this.#isDone = true;
    this.#members = [];
    await this.#chunks.return?.();
    return { value: undefined, done: true };
  }

  async #fetch(): Promise<void> {
    try {
      const { value, done } = await this.#chunks.next();
      this.#members = done === true ? [] : value;
      this.#isDone = done === true;
    } catch (error) {
      this.#isDone = true;
      this.#members = [];
      throw error;
    } finally {
      this.#position = 0;
      this.#fetching = undefined;
    }
  }
}
