import { type DoneReason, isObject, type ResponseEvent, type Usage } from "@ashlar/context";
import { errorEvent } from "../openai-error.js";
import { tokenCount } from "../token-count.js";
import { ToolCallAssembly } from "./tool-calls.js";

type Fields = Readonly<Record<string, unknown>>;
type ProseKind = "text" | "thinking";

const DONE_REASONS: ReadonlyMap<string, DoneReason> = new Map<string, DoneReason>([
  ["stop", "stop"],
  ["eos", "stop"],
  ["length", "length"],
  ["max_tokens", "length"],
  ["tool_calls", "toolCalls"],
  ["function_call", "toolCalls"],
  ["content_filter", "refusal"],
]);

/** Whole words: a name that is put together for each delta is slow to compare, everywhere it goes. */
const DELTAS = { text: "text_delta", thinking: "thinking_delta" } as const;

/** One streamed answer: open, until its finish word; finished, until the stream ends; ended. */
export class ChatStream {
  #nextContentIndex = 0;
  #open: { readonly kind: ProseKind; readonly contentIndex: number } | undefined;
  readonly #calls = new ToolCallAssembly(() => this.#nextContentIndex++);
  #finish: string | undefined;
  #refused = false;
  #usage: Usage | undefined;
  #ended = false;

  /** Events of one frame; `null` is the end of the stream, which is only a success after a finish word. */
  push(frame: unknown): readonly ResponseEvent[] {
    if (this.#ended) return [];
    if (frame === null) return this.#finish === undefined ? [] : this.#end();
    if (!isObject(frame))
      return this.#fail(`The server sent a frame that is no JSON object: ${JSON.stringify(frame)}`);
    const choice = firstChoice(frame.choices);
    const failure = frame.error ?? choice?.error ?? (frame.object === "error" ? frame : undefined);
    if (failure !== undefined && failure !== null) return this.#fail(failure);
    this.#usage = usage(frame.usage) ?? this.#usage;
    if (choice === undefined) return [];
    const delta = isObject(choice.delta) ? choice.delta : choice.message;
    const events = isObject(delta) ? this.#delta(delta) : [];
    if (typeof choice.finish_reason === "string" && choice.finish_reason !== "")
      this.#finish = choice.finish_reason;
    return events;
  }

  #delta(delta: Fields): readonly ResponseEvent[] {
    const events: ResponseEvent[] = [];
    this.#prose(events, "thinking", text(delta.reasoning_content) || text(delta.reasoning));
    if (Array.isArray(delta.content)) for (const part of delta.content) this.#part(events, part);
    else this.#prose(events, "text", text(delta.content));
    if (text(delta.refusal) !== "") {
      this.#refused = true;
      this.#prose(events, "text", text(delta.refusal));
    }
    const fragments: readonly unknown[] = Array.isArray(delta.tool_calls) ? delta.tool_calls : [];
    if (fragments.length > 0) this.#close(events);
    for (const fragment of fragments) events.push(...this.#calls.push(fragment));
    return events;
  }

  /** Content as a list of parts, as Mistral sends it when it thinks. */
  #part(events: ResponseEvent[], part: unknown): void {
    if (!isObject(part)) return;
    if (part.type === "text") this.#prose(events, "text", text(part.text));
    if (part.type !== "thinking" || !Array.isArray(part.thinking)) return;
    for (const piece of part.thinking) if (isObject(piece)) this.#prose(events, "thinking", text(piece.text));
  }

  #prose(events: ResponseEvent[], kind: ProseKind, piece: string): void {
    if (piece === "") return;
    if (this.#open?.kind !== kind) {
      this.#close(events);
      this.#open = { kind, contentIndex: this.#nextContentIndex++ };
      events.push({ type: `${kind}_start`, contentIndex: this.#open.contentIndex });
    }
    events.push({ type: DELTAS[kind], contentIndex: this.#open.contentIndex, text: piece });
  }

  #close(events: ResponseEvent[]): void {
    if (this.#open === undefined) return;
    events.push({ type: `${this.#open.kind}_end`, contentIndex: this.#open.contentIndex });
    this.#open = undefined;
  }

  #end(): readonly ResponseEvent[] {
    const events: ResponseEvent[] = [];
    this.#close(events);
    events.push(...this.#calls.end());
    events.push({
      type: "done",
      doneReason: this.#doneReason(),
      ...(this.#usage === undefined ? {} : { usage: this.#usage }),
    });
    this.#ended = true;
    return events;
  }

  /** Calls that are there are to be run, whatever the finish word; only the output limit says more. */
  #doneReason(): DoneReason {
    const said = DONE_REASONS.get(this.#finish ?? "") ?? "other";
    if (said === "length") return said;
    if (this.#calls.count > 0) return "toolCalls";
    if (this.#refused) return "refusal";
    return said === "toolCalls" ? "stop" : said;
  }

  #fail(error: unknown): readonly ResponseEvent[] {
    this.#ended = true;
    return [errorEvent(error)];
  }
}

function firstChoice(choices: unknown): Fields | undefined {
  if (!Array.isArray(choices)) return undefined;
  const entries: readonly unknown[] = choices;
  return entries.find(isFirst);
}

function isFirst(entry: unknown): entry is Fields {
  return isObject(entry) && (entry.index === undefined || entry.index === 0);
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function usage(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined;
  const input = tokenCount(value.prompt_tokens);
  const output = tokenCount(value.completion_tokens);
  if (input === undefined || output === undefined) return undefined;
  const details = isObject(value.prompt_tokens_details) ? value.prompt_tokens_details : {};
  const cached = tokenCount(details.cached_tokens) ?? tokenCount(value.prompt_cache_hit_tokens);
  const cost = tokenCount(value.cost);
  return {
    inputTokens: input,
    outputTokens: output,
    ...(cached === undefined ? {} : { cachedInputTokens: cached }),
    source: "provider",
    ...(cost === undefined ? {} : { cost }),
  };
}
