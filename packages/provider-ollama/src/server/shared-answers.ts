const MAX_AGE_MS = 60_000;
const MAX_ANSWERS = 256;

interface Shared {
  readonly answer: Promise<unknown>;
  readonly askedAt: number;
}

/** Answers of a server that sessions share for a minute, so that many agents do not ask the same. A failure is not kept. */
export class SharedAnswers {
  readonly #answers = new Map<string, Shared>();
  readonly #now: () => number;

  /** `now` gives milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** The answer under a key: a recent one, one that is on its way, or that of `ask`. */
  async get(key: string, ask: () => Promise<unknown>): Promise<unknown> {
    const shared = this.#answers.get(key);
    if (shared !== undefined && this.#now() - shared.askedAt < MAX_AGE_MS) {
      try {
        return await shared.answer;
      } catch {
        // Whoever asked was cancelled or refused; this session finds out by itself.
      }
    }
    return this.#ask(key, ask);
  }

  async #ask(key: string, ask: () => Promise<unknown>): Promise<unknown> {
    const shared: Shared = { answer: ask(), askedAt: this.#now() };
    this.#answers.delete(key);
    this.#answers.set(key, shared);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > MAX_ANSWERS && oldest !== undefined) this.#answers.delete(oldest);
    try {
      return await shared.answer;
    } catch (error) {
      if (this.#answers.get(key) === shared) this.#answers.delete(key);
      throw error;
    }
  }
}
