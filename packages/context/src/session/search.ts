import { contentText } from "../message/content.js";
import { isMessage } from "../message/guard.js";
import type { ContextItem } from "../message.js";
import type { EntryKind, SessionEntry } from "./entry.js";
import { checkKinds, checkLimit } from "./log-query.js";

export interface SearchOptions {
  /** Only sessions of this project folder. */
  readonly cwd?: string;
  /** Only entries of these kinds. */
  readonly kinds?: readonly EntryKind[];
  /** At least 1. Default 20. */
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

export interface SearchHit {
  readonly session: string;
  readonly entry: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Higher is better; comparable within one search only. */
  readonly score: number;
  /** At most 160 characters around the first match. */
  readonly snippet: string;
}

const DEFAULT_LIMIT = 20;
const SNIPPET_CHARACTERS = 160;
const LEAD_CHARACTERS = 40;

/** Keeps the best hits of a scan. Every word of the query has to be there, in any case and also inside other words. */
export class SearchScan {
  readonly words: readonly string[];
  readonly #phrase: string;
  readonly #kinds: readonly EntryKind[] | undefined;
  readonly #limit: number;
  #hits: SearchHit[] = [];

  /** Throws kind `usage` for options that make no sense. */
  constructor(text: string, { kinds, limit = DEFAULT_LIMIT }: SearchOptions = {}) {
    checkKinds(kinds);
    checkLimit(limit);
    this.#phrase = foldText(text.trim()).replace(/\s+/g, " ");
    this.words = [...new Set(this.#phrase.split(" "))].filter((word) => word !== "");
    this.#kinds = kinds;
    this.#limit = limit;
  }

  /** True when nothing is asked for, and so nothing can be found. */
  get isBlank(): boolean {
    return this.words.length === 0;
  }

  /** Best first; of two alike the newer one. */
  get hits(): readonly SearchHit[] {
    return this.#hits;
  }

  look(session: string, entry: SessionEntry): void {
    if (this.#kinds !== undefined && !this.#kinds.includes(entry.kind)) return;
    const text = entryText(entry);
    if (text === "" || this.isBlank) return;
    const score = this.#scoreOf(foldText(text));
    if (score > 0)
      this.#keep({ session, entry: entry.id, at: entry.at, score, snippet: this.#snippetOf(text) });
  }

  #keep(hit: SearchHit): void {
    const position = this.#hits.findIndex(
      ({ score, at }) => hit.score > score || (hit.score === score && hit.at > at),
    );
    if (position < 0 && this.#hits.length >= this.#limit) return;
    this.#hits.splice(position < 0 ? this.#hits.length : position, 0, hit);
    if (this.#hits.length > this.#limit) this.#hits.pop();
  }

  /** 0 unless every word is there. The whole phrase counts most, then how much of the text the words make up. */
  #scoreOf(text: string): number {
    let occurrences = 0;
    for (const word of this.words) {
      const count = countOf(word, text);
      if (count === 0) return 0;
      occurrences += Math.min(count, 10) * word.length;
    }
    const phrase = this.words.length > 1 && text.includes(this.#phrase) ? 2 : 1;
    return phrase + occurrences / (occurrences + text.length);
  }

  #snippetOf(text: string): string {
    const flat = text.replace(/\s+/g, " ");
    const low = foldText(flat);
    const [first = ""] = this.words;
    const phraseAt = low.indexOf(this.#phrase);
    const at = phraseAt < 0 ? low.indexOf(first) : phraseAt;
    const characters = Array.from(flat);
    const start = Math.max(0, Array.from(flat.slice(0, Math.max(0, at))).length - LEAD_CHARACTERS);
    const room = SNIPPET_CHARACTERS - 2;
    const piece = characters.slice(start, start + room).join("");
    return `${start > 0 ? "…" : ""}${piece}${start + room < characters.length ? "…" : ""}`;
  }
}

/** What people see of an entry, and a search looks at; empty where that is nothing. */
export function entryText(entry: SessionEntry): string {
  switch (entry.kind) {
    case "message":
    case "summary":
      return contentText(entry.message);
    case "compaction":
      return contentText(entry.summary);
    case "edit":
    case "prepend":
      return textOfItem(entry.item);
    case "label":
      return entry.text ?? "";
    case "name":
      return entry.name ?? "";
    default:
      return "";
  }
}

function textOfItem(item: ContextItem): string {
  return isMessage(item) ? contentText(item) : "";
}

/** The form in which texts are compared: case and composition make no difference. */
export function foldText(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

function countOf(word: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) count += 1;
  return count;
}
