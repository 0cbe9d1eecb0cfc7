import { type Block, messageUser, type UserMessage, validateMessage } from "@ashlar/context";

/** What a user may send. */
export type UserInput = string | readonly Block[];

/** User messages that wait for the next request. */
export class MessageQueue {
  #waiting: readonly UserMessage[] = [];

  get length(): number {
    return this.#waiting.length;
  }

  /** False for text of blanks only and for no blocks at all: they mean "go on", and nothing is queued. */
  add(input: UserInput): boolean {
    if (typeof input === "string" ? input.trim() === "" : input.length === 0) return false;
    const message = messageUser(input);
    validateMessage(message, "message");
    this.#waiting = [...this.#waiting, message];
    return true;
  }

  /** The oldest message; it waits until `shift`. */
  get first(): UserMessage | undefined {
    return this.#waiting[0];
  }

  /** Lets the oldest message go. */
  shift(): void {
    this.#waiting = this.#waiting.slice(1);
  }

  /** Empties the queue, oldest first. */
  take(): readonly UserMessage[] {
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }
}
