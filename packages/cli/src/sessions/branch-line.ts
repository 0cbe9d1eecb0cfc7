import { type ContextItem, contentText, isMessage, MessageType, type PathEntry } from "@ashlar/context";
import { visibleLine } from "../terminal-text.js";
import { depthFirst } from "./depth-first.js";
import type { Branch, Outline } from "./outline.js";

const CAPTION_CHARACTERS = 60;
const INDENT = "  ";

/** A branch on one line of JSON. */
export interface BranchRecord {
  readonly type: "branch";
  readonly depth: number;
  /** Names of the lanes that end in it; none: it was left behind. */
  readonly lanes: readonly string[];
  /** The entry of another branch that it grew from; null at the root. */
  readonly from: string | null;
  /** Its own entries: the first, the last and how many; null where it has none. */
  readonly first: string | null;
  readonly last: string | null;
  readonly entries: number;
  readonly labels: readonly { readonly entry: string; readonly text: string }[];
}

/** The branches of a session, one a line, each under the one it grew from, its labels below it. */
export function* outlineText({ roots, labels }: Outline): Generator<string, void, undefined> {
  for (const { node: branch, depth } of depthFirst(roots, branchesOf)) {
    const indent = INDENT.repeat(depth + 1);
    yield indent + branchLine(branch);
    for (const entry of branch.entries) {
      const label = labels.get(entry.id);
      if (label !== undefined)
        yield `${indent}${INDENT}label ${visibleLine(label)}, at ${visibleLine(entry.id)}  ${captionOf(entry)}`;
    }
  }
}

/** The same for programs: how deep each branch stands, which entries are its own, and its labels. */
export function* outlineRecords({ roots, labels }: Outline): Generator<BranchRecord, void, undefined> {
  for (const { node, depth } of depthFirst(roots, branchesOf)) {
    const { lanes, entries, from } = node;
    const first = entries[0]?.id ?? null;
    const last = entries.at(-1)?.id ?? null;
    const own = entries.flatMap(({ id }) => {
      const text = labels.get(id);
      return text === undefined ? [] : [{ entry: id, text }];
    });
    yield { type: "branch", depth, lanes, from, first, last, entries: entries.length, labels: own };
  }
}

function branchesOf({ branches }: Branch): readonly Branch[] {
  return branches;
}

function branchLine({ lanes, entries, from }: Branch): string {
  const [first] = entries;
  const last = entries.at(-1);
  const name = lanes.length > 0 ? `lane ${lanes.map(visibleLine).join(", ")}` : "left behind";
  const origin = from === null ? "" : `, from ${visibleLine(from)}`;
  if (first === undefined || last === undefined) return `${name}: nothing of its own${origin}`;
  const size = entries.length === 1 ? "1 entry" : `${entries.length} entries`;
  return `${name}: ${size}${origin}, to ${visibleLine(last.id)}  ${captionOf(first)}`;
}

/** What an entry says, in a few words. */
function captionOf(entry: PathEntry): string {
  switch (entry.kind) {
    case "message":
    case "summary":
      return textOf(entry.message);
    case "compaction":
      return `summary: ${textOf(entry.summary)}`;
    case "edit":
    case "prepend":
      return textOf(entry.item);
    case "record":
      return `record ${visibleLine(entry.record.type)}`;
    case "custom":
      return visibleLine(entry.name);
    case "remove":
      return "removal";
  }
}

function textOf(item: ContextItem): string {
  if (!isMessage(item)) return `record ${visibleLine(item.type)}`;
  const text = visibleLine(contentText(item).slice(0, 4 * CAPTION_CHARACTERS));
  if (text === "") return item.type === MessageType.assistant ? "(calls tools)" : "";
  const characters = Array.from(text);
  return characters.length <= CAPTION_CHARACTERS
    ? text
    : `${characters.slice(0, CAPTION_CHARACTERS - 1).join("")}…`;
}
