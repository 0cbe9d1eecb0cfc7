import type { UserMessage } from "@ashlar/context";
import type { EventKey } from "@ashlar/env";
import type { AgentEmitter } from "../agent-emitter.js";
import { AgentError } from "../agent-error.js";
import { AGENT_EVENT } from "../agent-events.js";
import { allEnded } from "../all-ended.js";
import type { Budget } from "../loop/budget.js";
import { workerAnswer } from "./worker-answer.js";

/** What is done with an agent that has a parent. */
export interface ChildAgent {
  readonly name: string;
  readonly busy: boolean;
  readonly children: readonly ChildAgent[];
  readonly onEvent: <P>(event: EventKey<P>, listener: (payload: P) => void) => number;
  readonly offEvent: (handle: number) => boolean;
  readonly cancel: () => void;
  readonly close: () => Promise<void>;
}

export interface ChildrenOptions {
  /** The parent's. */
  readonly emitter: AgentEmitter;
  /** Takes a message for the parent's next request. */
  readonly receive: (message: UserMessage) => void;
  /** The parent's session stays, because sessions below it do. */
  readonly keep: () => void;
}

/** The open children of one agent, oldest first: what they answer reaches the parent, and none outlives it. */
export class Children<A extends ChildAgent> {
  readonly #options: ChildrenOptions;
  readonly #open = new Set<A>();
  readonly #making = new Set<Promise<A>>();
  /** Work that the parent gave out and that goes on. */
  readonly #work = new Set<Promise<void>>();
  #wake: () => void = () => undefined;
  #closing = false;

  constructor(options: ChildrenOptions) {
    this.#options = options;
  }

  get list(): readonly A[] {
    return [...this.#open];
  }

  /** One of them is at work, on any level. */
  get busy(): boolean {
    return this.list.some(isAtWork);
  }

  /** Making one takes time: closing waits for it. */
  async hold(making: Promise<A>): Promise<A> {
    this.#making.add(making);
    try {
      return await making;
    } finally {
      this.#making.delete(making);
    }
  }

  /** `budget` is the child's place in it. Throws kind `closed`, with the child closed, when the parent closed meanwhile. */
  async add(child: A, budget: Budget): Promise<void> {
    const { emitter } = this.#options;
    if (this.#closing) {
      await child.close();
      throw new AgentError("closed", `agent.childCreate: the parent of ${child.name} is closed.`, {});
    }
    this.#open.add(child);
    child.onEvent(AGENT_EVENT.RESULT, (result) => {
      this.#options.keep();
      this.receive(workerAnswer(child.name, result));
    });
    child.onEvent(AGENT_EVENT.CLOSED, () => {
      this.#open.delete(child);
      budget.release();
      emitter.signal(AGENT_EVENT.CHILD_REMOVED, { name: child.name });
    });
    emitter.signal(AGENT_EVENT.CHILD_ADDED, { name: child.name });
  }

  /** A word of a child for the parent, which listens as long as it does not close. */
  receive(message: UserMessage): void {
    if (!this.#closing) this.#options.receive(message);
    this.#wake();
  }

  /** Work that the parent gave out; never rejects. */
  follow(work: Promise<void>): void {
    this.#work.add(work);
    void work.then(() => {
      this.#work.delete(work);
      this.#wake();
    });
  }

  get working(): boolean {
    return this.#work.size > 0;
  }

  /** Something new waits for the parent. */
  wake(): void {
    this.#wake();
  }

  /** Resolves when something new may wait for the parent, when some work has ended, or when the signal fires. */
  async change(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      const over = (): void => {
        signal.removeEventListener("abort", over);
        this.#wake = () => undefined;
        resolve();
      };
      this.#wake = over;
      signal.addEventListener("abort", over, { once: true });
    });
  }

  /** Ends all of them, with their runs. Rejects with the first failure, once all have ended. */
  async close(): Promise<void> {
    this.#closing = true;
    const ends = this.list.map((child) => {
      child.cancel();
      return child.close();
    });
    await Promise.allSettled([...ends, ...this.#making]);
    await allEnded(ends);
  }
}

function isAtWork({ busy, children }: ChildAgent): boolean {
  return busy || children.some(isAtWork);
}
