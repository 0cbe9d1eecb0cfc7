import { canonicalJson, type Message } from "@ashlar/context";
import { MessageType } from "@ashlar/context/provider";
import type { FrameCall } from "./chat-frame.js";

/** Gives the calls of one response their ids: the server's own, or `ollama-N`. */
export class CallIds {
  readonly #seen = new Map<string, string>();
  readonly #highest: () => number;
  #made: number | undefined;

  /** `highest`: the highest N in use; asked once the server gives a call no id. */
  constructor(highest: () => number) {
    this.#highest = highest;
  }

  /** The id of a call; undefined when an earlier frame brought the very same call already. */
  idOf(call: FrameCall): string | undefined {
    if (call.id === "") return this.#next();
    const content = canonicalJson([call.name, call.arguments]);
    const earlier = this.#seen.get(call.id);
    if (earlier === content) return undefined;
    // One id for two different calls is a mistake of the server; both calls count.
    if (earlier !== undefined) return this.#next();
    this.#seen.set(call.id, content);
    return call.id;
  }

  #next(): string {
    this.#made = (this.#made ?? this.#highest()) + 1;
    return `ollama-${this.#made}`;
  }
}

/** The highest N of the `ollama-N` ids in a context; 0 when there is none. */
export function highestMadeId(context: readonly Message[]): number {
  let highest = 0;
  for (const message of context) {
    if (message.type !== MessageType.assistant) continue;
    for (const block of message.content) {
      if (block.type !== "toolCall") continue;
      highest = Math.max(highest, Number(/^ollama-(\d{1,9})$/.exec(block.callId)?.[1] ?? 0));
    }
  }
  return highest;
}
