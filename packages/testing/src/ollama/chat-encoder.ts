import {
  type EncodedPart,
  type Encoder,
  type NumberedCall,
  type SettledFinish,
  Transcript,
} from "../encoder.js";

const NANOSECONDS_A_TOKEN = 10_000_000;

/** NDJSON of `/api/chat`: a line a part, calls whole, the last line with `done: true` and the counts. */
export class OllamaChatEncoder implements Encoder {
  readonly contentType = "application/x-ndjson";
  readonly #model: string;
  readonly #createdAt: string;
  readonly #said = new Transcript();

  constructor(model: string, createdAt: string) {
    this.#model = model;
    this.#createdAt = createdAt;
  }

  open(): string {
    return "";
  }

  part(part: EncodedPart): string {
    this.#said.add(part);
    if ("text" in part) return this.#line({ content: part.text });
    if ("thinking" in part) return this.#line({ content: "", thinking: part.thinking });
    return this.#line({ content: "", tool_calls: [this.#call(part.call, this.#said.calls.length - 1)] });
  }

  noise(): string {
    return "\n  \n\r\n";
  }

  fail(message: string): string {
    return `${JSON.stringify({ error: message })}\n`;
  }

  finish(finish: SettledFinish): string {
    return this.#line({ content: "" }, this.#counts(finish));
  }

  whole(finish: SettledFinish): unknown {
    const { text, thinking, calls } = this.#said;
    const message = {
      role: "assistant",
      content: text,
      ...(thinking !== "" && { thinking }),
      ...(calls.length > 0 && { tool_calls: calls.map((call, index) => this.#call(call, index)) }),
    };
    return { model: this.#model, created_at: this.#createdAt, message, ...this.#counts(finish) };
  }

  #line(message: object, rest: object = { done: false }): string {
    const frame = {
      model: this.#model,
      created_at: this.#createdAt,
      message: { role: "assistant", ...message },
      ...rest,
    };
    return `${JSON.stringify(frame)}\n`;
  }

  #call({ id, name, arguments: args }: NumberedCall, index: number): object {
    return { id, function: { index, name, arguments: args } };
  }

  #counts({ reason, inputTokens, outputTokens }: SettledFinish): object {
    return {
      done: true,
      done_reason: reason,
      total_duration: (inputTokens + outputTokens) * NANOSECONDS_A_TOKEN,
      load_duration: NANOSECONDS_A_TOKEN,
      prompt_eval_count: inputTokens,
      prompt_eval_duration: inputTokens * NANOSECONDS_A_TOKEN,
      eval_count: outputTokens,
      eval_duration: outputTokens * NANOSECONDS_A_TOKEN,
    };
  }
}
