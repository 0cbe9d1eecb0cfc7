import { type DoneReason, isObject, type ResponseEvent, type Usage } from "@ashlar/context";
import { errorEvent } from "../openai-error.js";
import { tokenCount } from "../token-count.js";
import { OutputBlocks } from "./output-blocks.js";

type Fields = Readonly<Record<string, unknown>>;

/** One streamed response: open until its terminal event, then ended. */
export class ResponseStream {
  readonly #blocks: OutputBlocks;
  #ended = false;

  constructor(endpoint: string) {
    this.#blocks = new OutputBlocks(endpoint);
  }

  /** Events of one frame. `null`, the end of the stream, earns nothing: only a terminal frame ends a response. */
  push(frame: unknown): readonly ResponseEvent[] {
    if (this.#ended || frame === null) return [];
    if (!isObject(frame))
      return this.#fail(`The server sent a frame that is no JSON object: ${JSON.stringify(frame)}`);
    if (frame.type === "error" || (isObject(frame.error) && frame.response === undefined)) {
      return this.#fail(frame.error ?? frame);
    }
    const response = isObject(frame.response) ? frame.response : {};
    switch (frame.type) {
      case "response.completed":
      case "response.incomplete":
        return this.#end(response);
      case "response.failed":
      case "response.cancelled":
        return this.#fail(response.error ?? `The server ended the response: ${String(frame.type)}`);
      default:
        return this.#progress(frame);
    }
  }

  #progress(frame: Fields): readonly ResponseEvent[] {
    const blocks = this.#blocks;
    const index = typeof frame.output_index === "number" ? frame.output_index : undefined;
    const item = isObject(frame.item) ? frame.item : {};
    const delta = typeof frame.delta === "string" ? frame.delta : "";
    switch (frame.type) {
      case "response.output_item.added":
        return blocks.itemAdded(index, item);
      case "response.output_item.done":
        return blocks.itemDone(index, item);
      case "response.output_text.delta":
        return blocks.text({ item: index, part: partOf(frame.content_index) }, delta);
      case "response.refusal.delta":
        return blocks.refusal({ item: index, part: partOf(frame.content_index) }, delta);
      case "response.reasoning_summary_text.delta":
        return blocks.thinking({ item: index, part: partOf(frame.summary_index) }, delta);
      case "response.reasoning_text.delta":
        return blocks.thinking({ item: index, part: partOf(frame.content_index) }, delta);
      case "response.function_call_arguments.delta":
        return blocks.callArguments(index, delta);
      default:
        return [];
    }
  }

  #end(response: Fields): readonly ResponseEvent[] {
    this.#ended = true;
    const usage = usageOf(response.usage);
    const blocks = this.#blocks.finish(response.output);
    return [
      ...blocks,
      { type: "done", doneReason: this.#doneReason(response), ...(usage !== undefined && { usage }) },
    ];
  }

  #doneReason(response: Fields): DoneReason {
    const cut = isObject(response.incomplete_details) ? response.incomplete_details.reason : undefined;
    if (cut === "max_output_tokens") return "length";
    if (this.#blocks.calls > 0) return "toolCalls";
    if (cut === "content_filter" || this.#blocks.refused) return "refusal";
    return response.status === "incomplete" ? "other" : "stop";
  }

  #fail(error: unknown): readonly ResponseEvent[] {
    this.#ended = true;
    return [errorEvent(error)];
  }
}

function partOf(value: unknown): number {
  return typeof value === "number" ? value : 0;
}

function usageOf(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined;
  const input = tokenCount(value.input_tokens);
  const output = tokenCount(value.output_tokens);
  if (input === undefined || output === undefined) return undefined;
  const details = isObject(value.input_tokens_details) ? value.input_tokens_details : {};
  const cached = tokenCount(details.cached_tokens);
  return {
    inputTokens: input,
    outputTokens: output,
    ...(cached !== undefined && { cachedInputTokens: cached }),
    source: "provider",
  };
}
