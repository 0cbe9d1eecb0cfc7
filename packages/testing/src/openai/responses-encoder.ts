import {
  argumentsText,
  type EncodedPart,
  type Encoder,
  type NumberedCall,
  type SettledFinish,
} from "../encoder.js";
import { SSE_NOISE, sseEvent } from "./server-sent-events.js";

const FRAGMENT_CHARACTERS = 8;

interface OpenItem {
  readonly kind: "text" | "thinking";
  readonly id: string;
  content: string;
}

/** Named events of `/v1/responses`: items opened, filled by deltas, closed; then the whole response. */
export class OpenAIResponsesEncoder implements Encoder {
  readonly contentType = "text/event-stream";
  readonly #model: string;
  readonly #created: number;
  readonly #items: object[] = [];
  #item: OpenItem | undefined;
  #sequence = 0;

  /** `created` is in epoch seconds. */
  constructor(model: string, created: number) {
    this.#model = model;
    this.#created = created;
  }

  open(): string {
    return this.#event("response.created", { response: this.#response("in_progress") });
  }

  part(part: EncodedPart): string {
    if ("call" in part) return this.#closeItem() + this.#call(part.call);
    const [kind, delta] =
      "text" in part ? (["text", part.text] as const) : (["thinking", part.thinking] as const);
    const opened = this.#item?.kind === kind ? "" : this.#closeItem() + this.#openItem(kind);
    if (this.#item !== undefined) this.#item.content += delta;
    const type = kind === "text" ? "response.output_text.delta" : "response.reasoning_summary_text.delta";
    return opened + this.#event(type, { ...this.#place(), delta });
  }

  noise(): string {
    return SSE_NOISE;
  }

  fail(message: string): string {
    return this.#event("error", { code: "server_error", message, param: null });
  }

  finish(finish: SettledFinish): string {
    const closed = this.#closeItem();
    const status = finish.reason === "length" ? "incomplete" : "completed";
    return closed + this.#event(`response.${status}`, { response: this.#response(status, finish) });
  }

  whole(finish: SettledFinish): unknown {
    this.#closeItem();
    return this.#response(finish.reason === "length" ? "incomplete" : "completed", finish);
  }

  #openItem(kind: "text" | "thinking"): string {
    const id = `${kind === "text" ? "msg" : "rs"}_${this.#items.length}`;
    this.#item = { kind, id, content: "" };
    const added = this.#event("response.output_item.added", {
      output_index: this.#items.length,
      item: kind === "text" ? this.#message(id, []) : { id, type: "reasoning", summary: [] },
    });
    const part = kind === "text" ? outputText("") : { type: "summary_text", text: "" };
    const type = kind === "text" ? "response.content_part.added" : "response.reasoning_summary_part.added";
    return added + this.#event(type, { ...this.#place(), part });
  }

  #closeItem(): string {
    const item = this.#item;
    if (item === undefined) return "";
    const text = item.content;
    const done =
      item.kind === "text"
        ? this.#event("response.output_text.done", { ...this.#place(), text })
        : this.#event("response.reasoning_summary_text.done", { ...this.#place(), text });
    const closed =
      item.kind === "text"
        ? this.#message(item.id, [outputText(text)])
        : { id: item.id, type: "reasoning", summary: [{ type: "summary_text", text }] };
    this.#item = undefined;
    return done + this.#itemDone(closed);
  }

  #call(call: NumberedCall): string {
    const place = { item_id: `fc_${call.id}`, output_index: this.#items.length };
    const item = { id: place.item_id, type: "function_call", call_id: call.id, name: call.name };
    let text = this.#event("response.output_item.added", {
      output_index: place.output_index,
      item: { ...item, status: "in_progress", arguments: "" },
    });
    const json = argumentsText(call);
    for (let at = 0; at < json.length; at += FRAGMENT_CHARACTERS) {
      const delta = json.slice(at, at + FRAGMENT_CHARACTERS);
      text += this.#event("response.function_call_arguments.delta", { ...place, delta });
    }
    text += this.#event("response.function_call_arguments.done", { ...place, arguments: json });
    return text + this.#itemDone({ ...item, status: "completed", arguments: json });
  }

  #itemDone(item: object): string {
    const output_index = this.#items.length;
    this.#items.push(item);
    return this.#event("response.output_item.done", { output_index, item });
  }

  #place(): object {
    const index = this.#item?.kind === "thinking" ? { summary_index: 0 } : { content_index: 0 };
    return { item_id: this.#item?.id, output_index: this.#items.length, ...index };
  }

  #message(id: string, content: readonly object[]): object {
    return { id, type: "message", role: "assistant", status: "completed", content };
  }

  #event(type: string, fields: object): string {
    const event = { type, sequence_number: this.#sequence, ...fields };
    this.#sequence += 1;
    return sseEvent(event, type);
  }

  #response(status: string, finish?: SettledFinish): object {
    return {
      id: "resp_fake",
      object: "response",
      created_at: this.#created,
      model: this.#model,
      status,
      error: null,
      incomplete_details: status === "incomplete" ? { reason: "max_output_tokens" } : null,
      output: [...this.#items],
      usage: finish === undefined ? null : usage(finish),
    };
  }
}

function outputText(text: string): object {
  return { type: "output_text", text, annotations: [] };
}

function usage({ inputTokens, outputTokens }: SettledFinish): object {
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + outputTokens,
  };
}
