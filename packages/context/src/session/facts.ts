import { addUsage, NO_USAGE, type Usage } from "../usage.js";
import type { SessionEntry } from "./entry.js";

/** What a session has come to, over all its branches and lives. */
export interface SessionStats {
  readonly messages: number;
  /** Usage reports. */
  readonly requests: number;
  readonly usage: Usage;
  /** The model that answered last, as the host names it; undefined when nobody said. */
  readonly model?: string;
}

/** What is true of a session whatever branch is shown; the last word counts. */
export class SessionFacts {
  name: string | undefined;
  readonly labels: Map<string, string> = new Map();
  #messages = 0;
  #requests = 0;
  #usage: Usage = NO_USAGE;
  #model: string | undefined;

  apply(entry: SessionEntry): void {
    switch (entry.kind) {
      case "message":
        this.#messages += 1;
        return;
      case "name":
        this.name = entry.name ?? undefined;
        return;
      case "label":
        if (entry.text === null) this.labels.delete(entry.target);
        else this.labels.set(entry.target, entry.text);
        return;
      case "journal":
        if (entry.event.type !== "usage") return;
        this.#requests += 1;
        this.#usage = addUsage(this.#usage, entry.event.usage);
        if (entry.event.cause === "assistant") this.#model = entry.event.model ?? this.#model;
        return;
      default:
    }
  }

  get stats(): SessionStats {
    return {
      messages: this.#messages,
      requests: this.#requests,
      usage: this.#usage,
      ...(this.#model !== undefined && { model: this.#model }),
    };
  }
}
