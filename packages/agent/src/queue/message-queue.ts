import { type Block, messageUser, type UserMessage, validateMessage } from "@ashlar/context";
import { AgentError } from "../agent-error.js";

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
  /** What joins the conversation; undefined as long as nobody looked for a prompt in it. */
  joins: UserMessage | undefined;
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

  /** False for text of blanks only and for no blocks at all: they mean "go on", and nothing is queued. Throws kind `usage`. */
  add(input: UserInput, kind: QueueKind = "steer"): boolean {
    if (kind !== "steer" && kind !== "followUp") throw unknownKind(kind);
    if (typeof input === "string" ? input.trim() === "" : input.length === 0) return false;
    const message = messageUser(input);
    validateMessage(message, "message");
    this.#wait({ message, kind, joins: undefined });
    return true;
  }

  /** For a message that is whole and means what it says. */
  put(message: UserMessage, kind: QueueKind = "steer"): void {
    this.#wait({ message, kind, joins: message });
  }

  /** Something that joins next was not given to `expand`. */
  isUnexpanded(kind: QueueKind): boolean {
    return this.#due(kind).some(({ joins }) => joins === undefined);
  }

  /** Lets `expand` say what joins of messages that join next. Rejects as it does; then the message waits as it was sent. */
  async expand(kind: QueueKind, expand: (message: UserMessage) => Promise<UserMessage>): Promise<void> {
    for (const one of this.#due(kind)) one.joins ??= await expand(one.message);
  }

  /**
   * Hands the messages that join now to `store`, oldest first, then to `tell`. Each leaves the queue once it is stored, so
   * that a store that fails loses none. Says whether any went.
   */
  drain(kind: QueueKind, { store, tell }: QueueExit): boolean {
    let any = false;
    for (const one of this.#due(kind)) {
      // Whoever was told of one may have taken the others back.
      if (this.#waiting?.has(one) !== true) continue;
      const joins = one.joins ?? one.message;
      store(joins);
      this.#waiting.delete(one);
      any = true;
      tell(joins);
    }
    return any;
  }

  /** Empties the queue, in the order in which the messages were sent, whatever their kind. */
  take(): readonly UserMessage[] {
    const taken = [...(this.#waiting ?? [])].map(({ message }) => message);
    this.#waiting?.clear();
    return taken;
  }

  #wait(one: Waiting): void {
    this.#waiting ??= new Set();
    this.#waiting.add(one);
  }

  /** What joins next. */
  #due(kind: QueueKind): readonly Waiting[] {
    const due = [...(this.#waiting ?? [])].filter((one) => one.kind === kind);
    return this.#modes[kind] === "one" ? due.slice(0, 1) : due;
  }
}

function unknownKind(kind: never): AgentError<"usage"> {
  return new AgentError("usage", `agent.send: as: ${JSON.stringify(kind)} is not "steer" or "followUp".`, {
    argument: "as",
  });
}

export interface QueueExit {
  readonly store: (message: UserMessage) => void;
  readonly tell: (message: UserMessage) => void;
}
