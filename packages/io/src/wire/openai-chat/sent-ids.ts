/**
 * Call ids as nine letters and digits. Numbered in order of appearance, so that they are the same in every
 * request of a conversation and never repeat inside one.
 */
export class SentIds {
  readonly #strict: boolean;
  readonly #sent = new Map<string, string>();
  #calls = 0;

  constructor(strict: boolean) {
    this.#strict = strict;
  }

  ofCall(callId: string): string {
    if (!this.#strict) return callId;
    const id = `c${String(this.#calls++).padStart(8, "0")}`;
    this.#sent.set(callId, id);
    return id;
  }

  /** A result belongs to the latest call of that id. */
  ofResult(callId: string): string {
    return this.#sent.get(callId) ?? callId;
  }
}
