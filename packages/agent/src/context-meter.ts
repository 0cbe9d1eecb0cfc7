import {
  type Context,
  type ContextItem,
  estimateTokens,
  isMessage,
  MessageType,
  TokenCalibration,
} from "@ashlar/context";
import type { ToolDescriptor } from "@ashlar/context/provider";
import type { LargestMessage } from "./loop/context-guard.js";

/** Tokens that the next request takes, and the window it has. */
export interface AgentContextUsage {
  readonly used: number;
  /** Undefined when nobody knows. */
  readonly total: number | undefined;
}

/** Knows how many tokens a context costs, and looks only at what is new since it last looked. */
export class ContextMeter {
  readonly #calibration = new TokenCalibration();
  #counted = 0;
  #last: ContextItem | undefined;
  #items = 0;
  #largest = -1;
  #largestTokens = 0;
  #descriptors: readonly ToolDescriptor[] = [];
  #tools = 0;

  /** Our estimate for the whole request, corrected by what the provider counted before. */
  measure(context: Context, descriptors: readonly ToolDescriptor[]): number {
    if (
      this.#counted > context.length ||
      (this.#counted > 0 && context.at(this.#counted - 1) !== this.#last)
    ) {
      this.reset();
    }
    for (; this.#counted < context.length; this.#counted += 1) {
      this.#last = context.at(this.#counted);
      if (this.#last !== undefined) this.#add(estimateTokens([this.#last]));
    }
    if (descriptors !== this.#descriptors) {
      this.#descriptors = descriptors;
      this.#tools = estimateTokens([], descriptors);
    }
    return this.#calibration.apply(this.#items + this.#tools);
  }

  /** The largest message of the context measured last, with its corrected tokens. */
  largest(context: Context): LargestMessage | undefined {
    const item = context.at(this.#largest);
    if (this.#largest < 0 || item === undefined || !isMessage(item)) return undefined;
    const tokens = this.#calibration.apply(this.#largestTokens);
    return { position: this.#largest, role: ROLES[item.type], tokens };
  }

  /** What the tool descriptors of the request measured last take, in our own estimate. */
  get tools(): number {
    return this.#tools;
  }

  /** Real tokens for one of our estimate. */
  get ratio(): number {
    return this.#calibration.ratio;
  }

  /** Learns from the provider's own count of the request measured last. */
  learn(measured: number): void {
    this.#calibration.observe({ estimated: this.#items + this.#tools, measured });
  }

  /** Looks at everything again: earlier parts of the context may have changed. */
  reset(): void {
    this.#counted = 0;
    this.#items = 0;
    this.#largest = -1;
    this.#largestTokens = 0;
  }

  #add(tokens: number): void {
    this.#items += tokens;
    if (tokens <= this.#largestTokens) return;
    this.#largestTokens = tokens;
    this.#largest = this.#counted;
  }
}

const ROLES = {
  [MessageType.system]: "system",
  [MessageType.user]: "user",
  [MessageType.assistant]: "assistant",
  [MessageType.toolResult]: "tool result",
} as const satisfies Readonly<Record<MessageType, LargestMessage["role"]>>;
