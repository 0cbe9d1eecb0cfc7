import { type Block, messageUser, type UserMessage, validateMessage } from "@ashlar/context";

/** What a user may send. */
export type UserInput = string | readonly Block[];

/** `steer`: joins before the next request. `followUp`: joins when the model would stop. */
export type QueueKind = "steer" | "followUp";

export interface SendOptions {
  /** Default `steer`. */
  readonly as?: QueueKind;
}

/** How many messages of a kind join at a time. */
export type QueueMode = "one" | "all";

export type QueueModes = { readonly [Kind in QueueKind]?: QueueMode | undefined };

interface Waiting {
  readonly message: UserMessage;
  readonly kind: QueueKind;
}

/** User messages that wait for a request, first in first out within their kind. */
export class MessageQueue {
  readonly #modes: Readonly<Record<QueueKind, QueueMode>>;
  /** Made with the first message: most agents are idle. */
  #waiting: Set<Waiting> | undefined;

  constructor({ steer = "all", followUp = "one" }: QueueModes = {}) {
    this.#modes = { steer, followUp };
  }

  get length(): number {
    return this.#waiting?.size ?? 0;
  }

  has(kind: QueueKind): boolean {
    for (const waiting of this.#waiting ?? []) if (waiting.kind === kind) return true;
    return false;
  }

  /** False for text of blanks only and for no blocks at all: they mean "go on", and nothing is queued. */
  add(input: UserInput, kind: QueueKind = "steer"): boolean {
    if (typeof input === "string" ? input.trim() === "" : input.length === 0) return false;
    const message = messageUser(input);
    validateMessage(message, "message");
    this.put(message, kind);
    return true;
  }

  /** For a message that is whole. */
  put(message: UserMessage, kind: QueueKind = "steer"): void {
    this.#waiting ??= new Set();
    this.#waiting.add({ message, kind });
  }

  /**
   * Hands the messages that join now to `store`, oldest first, then to `tell`. Each leaves the queue once it is stored, so
   * that a store that fails loses none. Says whether any went.
   */
  drain(kind: QueueKind, { store, tell }: QueueExit): boolean {
    const waiting = this.#waiting ?? new Set<Waiting>();
    const due = [...waiting].filter((one) => one.kind === kind);
    let any = false;
    for (const one of this.#modes[kind] === "one" ? due.slice(0, 1) : due) {
      // Whoever was told of one may have taken the others back.
      if (!waiting.has(one)) continue;
      store(one.message);
      waiting.delete(one);
      any = true;
      tell(one.message);
    }
    return any;
  }

  /** Empties the queue, in the order in which the messages were sent, whatever their kind. */
  take(): readonly UserMessage[] {
    const taken = [...(this.#waiting ?? [])].map(({ message }) => message);
    this.#waiting?.clear();
    return taken;
  }
}

export interface QueueExit {
  readonly store: (message: UserMessage) => void;
  readonly tell: (message: UserMessage) => void;
}
