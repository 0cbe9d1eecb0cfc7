import type { Block, ContextItem, Message } from "@ashlar/context";

interface Kept {
  readonly item: ContextItem;
  /** When the item last changed, in steps. */
  readonly since: number;
}

/** The rules of a context on a plain array that is copied at every step: slow, and easy to believe. */
export class NaiveContext {
  #items: readonly Kept[] = [];
  #undo: (readonly Kept[])[] = [];
  #redo: (readonly Kept[])[] = [];
  #clock = 0;
  #sealedAt = 0;
  #isBatch = false;

  get items(): readonly ContextItem[] {
    return this.#items.map(({ item }) => item);
  }

  append(item: ContextItem, merge: boolean): void {
    const last = this.#items.at(-1);
    const folded = isMessage(item) ? { ...item, content: fold(item.content) } : item;
    const mayMerge = merge && last !== undefined && last.since > this.#sealedAt && isAlike(last.item, folded);
    if (mayMerge && isMessage(last.item) && isMessage(folded)) {
      const merged = { ...last.item, content: fold([...last.item.content, ...folded.content]) };
      this.#change([...this.#items.slice(0, -1), this.#kept(merged)]);
    } else this.#change([...this.#items, this.#kept(folded)]);
  }

  prepend(item: ContextItem): void {
    this.#change([this.#kept(item), ...this.#items]);
  }

  edit(position: number, item: ContextItem): void {
    this.#change(this.#items.with(position, this.#kept(item)));
  }

  remove(positions: readonly number[]): void {
    if (positions.length > 0)
      this.#change(this.#items.filter((_, position) => !positions.includes(position)));
  }

  rollback(position: number): void {
    this.#change(this.#items.slice(0, position));
  }

  seal(): void {
    this.#sealedAt = this.#clock;
  }

  undo(): boolean {
    return this.#travel(this.#undo, this.#redo);
  }

  redo(): boolean {
    return this.#travel(this.#redo, this.#undo);
  }

  update(change: () => boolean): void {
    const before = this.#items;
    const undo = [...this.#undo];
    this.#isBatch = true;
    const isKept = change();
    this.#isBatch = false;
    this.#undo = undo;
    if (isKept && this.#items !== before) this.#undo.push(before);
    if (!isKept) this.#items = before;
  }

  #travel(from: (readonly Kept[])[], to: (readonly Kept[])[]): boolean {
    const target = from.pop();
    if (target === undefined) return false;
    to.push(this.#items);
    this.#items = target;
    this.#clock += 1;
    return true;
  }

  #kept(item: ContextItem): Kept {
    return { item, since: this.#clock + 1 };
  }

  #change(items: readonly Kept[]): void {
    this.#clock += 1;
    if (!this.#isBatch) this.#undo.push(this.#items);
    this.#redo = [];
    this.#items = items;
  }
}

function isMessage(item: ContextItem): item is Message {
  return typeof item.type === "number";
}

function isAlike(a: ContextItem, b: ContextItem): boolean {
  const fields = ({ content: _, ...rest }: ContextItem): string =>
    JSON.stringify(Object.entries(rest).sort());
  return isMessage(a) && a.type !== 4 && fields(a) === fields(b);
}

function fold(blocks: readonly Block[]): readonly Block[] {
  const folded: Block[] = [];
  for (const block of blocks) {
    const last = folded.at(-1);
    if (last !== undefined && isText(last) && isText(block) && last.type === block.type) {
      const gap = last.text === "" || block.text === "" || last.text.endsWith("\n") ? "" : "\n\n";
      folded[folded.length - 1] = { type: block.type, text: last.text + gap + block.text };
    } else folded.push(block);
  }
  return folded;
}

function isText(block: Block): block is Block & { type: "text" | "thinking"; text: string } {
  return (block.type === "text" || block.type === "thinking") && Object.keys(block).length === 2;
}
