import type { ContentPart, FakeCall, Finish } from "./reply.js";

/** A call whose id is settled. */
export interface NumberedCall extends FakeCall {
  readonly id: string;
}

export type EncodedPart = Exclude<ContentPart, { call: FakeCall }> | { readonly call: NumberedCall };

/** A finish whose counts are settled. */
export interface SettledFinish {
  readonly reason: "stop" | "length";
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Turns the parts of one answer into the text of one wire. One object an answer. */
export interface Encoder {
  readonly contentType: string;
  readonly open: () => string;
  readonly part: (part: EncodedPart) => string;
  readonly noise: () => string;
  readonly fail: (message: string) => string;
  readonly finish: (finish: SettledFinish) => string;
  /** The whole answer as one JSON value, for a request that wants no stream. */
  readonly whole: (finish: SettledFinish) => unknown;
}

/** What was said so far, for the frames and bodies that repeat it. */
export class Transcript {
  text = "";
  thinking = "";
  readonly calls: NumberedCall[] = [];

  add(part: EncodedPart): void {
    if ("text" in part) this.text += part.text;
    else if ("thinking" in part) this.thinking += part.thinking;
    else this.calls.push(part.call);
  }

  settle(finish: Finish, inputTokens: number): SettledFinish {
    const said = this.text.length + this.thinking.length + JSON.stringify(this.calls).length;
    return {
      reason: finish.reason ?? "stop",
      inputTokens: finish.inputTokens ?? inputTokens,
      outputTokens: finish.outputTokens ?? Math.ceil(said / 4),
    };
  }
}

/** The arguments as JSON text. */
export function argumentsText(call: FakeCall): string {
  return typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);
}
