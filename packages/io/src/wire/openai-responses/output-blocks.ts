import { isObject, type ResponseEvent } from "@ashlar/context";
import { reasoningExtra } from "./reasoning-extra.js";

type Fields = Readonly<Record<string, unknown>>;

/** Where a delta belongs: the output item, and the part of it. A server that counts no items means the latest. */
export interface Position {
  readonly item: number | undefined;
  readonly part: number;
}

interface Block {
  readonly kind: "text" | "thinking" | "tool_call";
  readonly contentIndex: number;
  /** The part of the item that the latest delta belonged to. */
  part: number;
  filled: boolean;
  open: boolean;
}

/** The output items of one response as content blocks, numbered in order of appearance. */
export class OutputBlocks {
  readonly #endpoint: string;
  /** Blocks of each item: a message has one for each part, the others have one. */
  readonly #items = new Map<number, Block[]>();
  readonly #done = new Set<number>();
  #latest = 0;
  #nextContentIndex = 0;
  #calls = 0;
  #refused = false;

  constructor(endpoint: string) {
    this.#endpoint = endpoint;
  }

  get calls(): number {
    return this.#calls;
  }

  get refused(): boolean {
    return this.#refused;
  }

  itemAdded(index: number | undefined, item: Fields): readonly ResponseEvent[] {
    const blocks = this.#blocksOf(index);
    if (blocks.length > 0) return [];
    const events: ResponseEvent[] = [];
    if (item.type === "reasoning") this.#open(blocks, "thinking", 0, events);
    if (item.type === "function_call") this.#openCall(blocks, item, events);
    return events;
  }

  text({ item, part }: Position, text: string): readonly ResponseEvent[] {
    const blocks = this.#receiving(item, text);
    if (blocks === undefined) return [];
    const events: ResponseEvent[] = [];
    const known = blocks.find((block) => block.open && block.kind === "text" && block.part === part);
    const { contentIndex } = fill(known ?? this.#open(blocks, "text", part, events));
    return [...events, { type: "text_delta", contentIndex, text }];
  }

  refusal(position: Position, text: string): readonly ResponseEvent[] {
    this.#refused = true;
    return this.text(position, text);
  }

  /** Parts of one summary become one block, with a blank line between them. */
  thinking({ item, part }: Position, text: string): readonly ResponseEvent[] {
    const blocks = this.#receiving(item, text);
    if (blocks === undefined) return [];
    const events: ResponseEvent[] = [];
    const known = blocks.find((block) => block.open && block.kind === "thinking");
    const gap = known?.filled === true && known.part !== part ? "\n\n" : "";
    const block = fill(known ?? this.#open(blocks, "thinking", part, events));
    block.part = part;
    return [...events, { type: "thinking_delta", contentIndex: block.contentIndex, text: gap + text }];
  }

  callArguments(index: number | undefined, text: string): readonly ResponseEvent[] {
    const blocks = this.#receiving(index, text);
    if (blocks === undefined) return [];
    const events: ResponseEvent[] = [];
    const known = blocks.find((block) => block.open && block.kind === "tool_call");
    const { contentIndex } = fill(known ?? this.#openCall(blocks, {}, events));
    return [...events, { type: "tool_call_delta", contentIndex, arguments: text }];
  }

  /** Closes an item; what it holds and no delta brought is added. */
  itemDone(index: number | undefined, item: Fields): readonly ResponseEvent[] {
    const key = index ?? this.#latest;
    if (this.#done.has(key)) return [];
    const events = [...this.itemAdded(key, item), ...this.#missing(key, item)];
    for (const block of this.#blocksOf(key)) this.#close(block, events, item);
    this.#done.add(key);
    return events;
  }

  /** Closes everything. `output` counts only for servers that stream nothing before the final response. */
  finish(output: unknown): readonly ResponseEvent[] {
    const untouched = this.#nextContentIndex === 0;
    const items = untouched && Array.isArray(output) ? output.filter(isObject) : [];
    const events = items.flatMap((item, index) => this.itemDone(index, item));
    for (const block of [...this.#items.values()].flat()) this.#close(block, events, {});
    return events;
  }

  #missing(key: number, item: Fields): readonly ResponseEvent[] {
    const blocks = this.#blocksOf(key);
    if (blocks.some(({ filled }) => filled)) return [];
    switch (item.type) {
      case "function_call":
        return this.callArguments(key, typeof item.arguments === "string" ? item.arguments : "");
      case "reasoning":
        return textsOf(item.summary, item.content).flatMap((text, part) =>
          this.thinking({ item: key, part }, text),
        );
      case "message":
        return textsOf(item.content).flatMap((text, part) => this.text({ item: key, part }, text));
      default:
        return [];
    }
  }

  #blocksOf(index: number | undefined): Block[] {
    const key = index ?? this.#latest;
    this.#latest = key;
    const blocks = this.#items.get(key) ?? [];
    this.#items.set(key, blocks);
    return blocks;
  }

  /** The blocks of an item that may still get something; undefined when nothing came, or the item is done. */
  #receiving(index: number | undefined, piece: string): Block[] | undefined {
    return piece === "" || this.#done.has(index ?? this.#latest) ? undefined : this.#blocksOf(index);
  }

  /** One block of an item is open at a time. */
  #open(blocks: Block[], kind: Block["kind"], part: number, events: ResponseEvent[]): Block {
    for (const earlier of blocks) this.#close(earlier, events, {});
    const block: Block = { kind, contentIndex: this.#nextContentIndex++, part, filled: false, open: true };
    blocks.push(block);
    if (kind !== "tool_call") events.push({ type: `${kind}_start`, contentIndex: block.contentIndex });
    return block;
  }

  #openCall(blocks: Block[], item: Fields, events: ResponseEvent[]): Block {
    this.#calls += 1;
    const block = this.#open(blocks, "tool_call", 0, events);
    const callId = [item.call_id, item.id].find((id) => typeof id === "string") ?? "";
    const name = typeof item.name === "string" ? item.name : "";
    events.push({ type: "tool_call_start", contentIndex: block.contentIndex, callId, name });
    return block;
  }

  #close(block: Block, events: ResponseEvent[], item: Fields): void {
    if (!block.open) return;
    block.open = false;
    const { contentIndex } = block;
    if (block.kind === "text") events.push({ type: "text_end", contentIndex });
    if (block.kind === "thinking")
      events.push({ type: "thinking_end", contentIndex, ...extraOf(item, this.#endpoint) });
    if (block.kind === "tool_call") events.push({ type: "tool_call_end", contentIndex });
  }
}

function fill(block: Block): Block {
  block.filled = true;
  return block;
}

function extraOf(item: Fields, endpoint: string): { readonly extra?: Fields } {
  const extra = reasoningExtra(item, endpoint);
  return Object.keys(extra).length === 0 ? {} : { extra };
}

/** The texts in lists of parts; the first list that has some wins. */
function textsOf(...lists: readonly unknown[]): readonly string[] {
  for (const parts of lists) {
    if (!Array.isArray(parts)) continue;
    const texts = parts.filter(isObject).map((part) => String(part.text ?? part.refusal ?? ""));
    if (texts.some((text) => text !== "")) return texts;
  }
  return [];
}
