import { ToolError } from "../../tool-error.js";
import { countsFromEnd, openSpan, type Span, spanOf } from "../range.js";
import type { ReadRange } from "../read-input.js";
import type { ReadFile, ReadScope } from "../read-scope.js";
import { chunksOf } from "./file-chunks.js";
import type { TextView } from "./text-view.js";

/** A range of characters (Unicode code points), a byte order mark not counted. */
export async function textCharacters(
  source: ReadFile,
  scope: ReadScope,
  range: ReadRange,
): Promise<TextView> {
  if (!countsFromEnd(range)) return collect(source, scope, openSpan(range));
  if (source.stat.size > scope.budget.fileBytes) {
    throw new ToolError(
      "usage",
      `characters: this file of ${source.stat.size} bytes is too large to count from its end (setting read.fileBytes). Use bytes.`,
      { argument: "characters" },
    );
  }
  let total = 0;
  for await (const text of texts(source, scope)) total += characterCount(text);
  return collect(source, scope, spanOf(range, total));
}

async function collect(source: ReadFile, scope: ReadScope, { first, last }: Span): Promise<TextView> {
  const room = scope.budget.outputBytes;
  let position = 0;
  let bytes = 0;
  let kept = "";
  let next: number | undefined;
  for await (const text of texts(source, scope)) {
    const count = characterCount(text);
    if (position + count >= first) {
      for (const character of text) {
        position += 1;
        if (position < first) continue;
        bytes += Buffer.byteLength(character);
        if (position > last || bytes > room) {
          if (position <= last) next = position;
          break;
        }
        kept += character;
      }
    } else position += count;
    if (position > last || next !== undefined) break;
  }
  return {
    text: kept,
    notes: characterNotes({ first, shown: characterCount(kept), next, position }, scope),
    partial: next !== undefined || scope.meter.exhausted !== undefined,
  };
}

interface Collected {
  readonly first: number;
  readonly shown: number;
  readonly next: number | undefined;
  /** How far the file was read. */
  readonly position: number;
}

function characterNotes(
  { first, shown, next, position }: Collected,
  { meter }: ReadScope,
): readonly string[] {
  const stopped = meter.incomplete();
  const incomplete = stopped === undefined ? [] : [stopped];
  if (shown === 0)
    return [
      `There is nothing from character ${first} on: the file was read up to character ${position}.`,
      ...incomplete,
    ];
  const more = next === undefined ? "" : ` Continue with characters: {"from": ${next}}.`;
  return [`Characters ${first}-${first + shown - 1} shown.${more}`, ...incomplete];
}

/** The file as text, chunk by chunk, no character cut. */
async function* texts({ file }: ReadFile, { meter }: ReadScope): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8");
  for await (const { bytes } of chunksOf(file, 0, meter)) yield decoder.decode(bytes, { stream: true });
  yield decoder.decode();
}

function characterCount(text: string): number {
  let pairs = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit >= 0xd800 && unit <= 0xdbff) pairs += 1;
  }
  return text.length - pairs;
}
