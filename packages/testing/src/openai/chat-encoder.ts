import {
  argumentsText,
  type EncodedPart,
  type Encoder,
  type NumberedCall,
  type SettledFinish,
  Transcript,
} from "../encoder.js";
import { SSE_NOISE, sseEvent } from "./server-sent-events.js";

const FRAGMENT_CHARACTERS = 8;

export interface ChatEncoderOptions {
  readonly model: string;
  /** Epoch seconds. */
  readonly created: number;
  readonly includeUsage: boolean;
}

/** Server-sent events of `/v1/chat/completions`: arguments in fragments, the usage in a chunk of its own, then `[DONE]`. */
export class OpenAIChatEncoder implements Encoder {
  readonly contentType = "text/event-stream";
  readonly #options: ChatEncoderOptions;
  readonly #said = new Transcript();

  constructor(options: ChatEncoderOptions) {
    this.#options = options;
  }

  open(): string {
    return this.#chunk({ role: "assistant", content: "" });
  }

  part(part: EncodedPart): string {
    this.#said.add(part);
    if ("text" in part) return this.#chunk({ content: part.text });
    if ("thinking" in part) return this.#chunk({ reasoning_content: part.thinking });
    return this.#call(part.call, this.#said.calls.length - 1);
  }

  noise(): string {
    return SSE_NOISE;
  }

  fail(message: string): string {
    return sseEvent({ error: { message, type: "server_error", code: 500 } });
  }

  finish(finish: SettledFinish): string {
    const last = this.#chunk({}, this.#reason(finish));
    const usage = this.#options.includeUsage
      ? sseEvent({ ...this.#head(), choices: [], usage: this.#usage(finish) })
      : "";
    return `${last}${usage}${sseEvent("[DONE]")}`;
  }

  whole(finish: SettledFinish): unknown {
    const { text, thinking, calls } = this.#said;
    const message = {
      role: "assistant",
      content: text === "" && calls.length > 0 ? null : text,
      ...(thinking !== "" && { reasoning_content: thinking }),
      ...(calls.length > 0 && { tool_calls: calls.map((call) => this.#function(call, argumentsText(call))) }),
    };
    const choices = [{ index: 0, message, finish_reason: this.#reason(finish) }];
    return { ...this.#head(), object: "chat.completion", choices, usage: this.#usage(finish) };
  }

  #call(call: NumberedCall, index: number): string {
    const first = this.#chunk({ tool_calls: [{ index, ...this.#function(call, "") }] });
    const json = argumentsText(call);
    let rest = "";
    for (let at = 0; at < json.length; at += FRAGMENT_CHARACTERS) {
      const fragment = json.slice(at, at + FRAGMENT_CHARACTERS);
      rest += this.#chunk({ tool_calls: [{ index, function: { arguments: fragment } }] });
    }
    return first + rest;
  }

  #function({ id, name }: NumberedCall, args: string): object {
    return { id, type: "function", function: { name, arguments: args } };
  }

  #chunk(delta: object, finish_reason: string | null = null): string {
    return sseEvent({ ...this.#head(), choices: [{ index: 0, delta, finish_reason }] });
  }

  #head(): object {
    const { model, created } = this.#options;
    return { id: "chatcmpl-fake", object: "chat.completion.chunk", created, model };
  }

  #reason({ reason }: SettledFinish): string {
    return reason === "length" ? "length" : this.#said.calls.length > 0 ? "tool_calls" : "stop";
  }

  #usage({ inputTokens, outputTokens }: SettledFinish): object {
    return {
      prompt_tokens: inputTokens,
      completion_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
    };
  }
}
