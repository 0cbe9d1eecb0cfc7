import { ToolError } from "../../tool-error.js";
import { countsFromEnd, openSpan, type Span, spanOf } from "../range.js";
import type { ReadRange } from "../read-input.js";
import { markNotes } from "../read-notes.js";
import type { ReadFile, ReadScope } from "../read-scope.js";
import { LinePage } from "./line-page.js";
import { countLines, findLine, findLineFromEnd } from "./line-position.js";
import { fillPage, type PageEnd } from "./page-filling.js";
import type { TextView } from "./text-view.js";

/** Lines of a text file: a range, or from `offset` as many as fit. */
export async function textLines(source: ReadFile, scope: ReadScope): Promise<TextView> {
  const range = scope.request.lines ?? { from: scope.request.offset };
  if (!countsFromEnd(range)) return forwardLines(source, scope, openSpan(range));
  if (source.stat.size > scope.budget.fileBytes) return backwardLines(source, scope, range);
  const total = await countLines(source.file, 0, scope.meter);
  if (total === undefined) return missed("The lines of the file could not be counted.", scope);
  return forwardLines(source, scope, spanOf(range, total));
}

async function forwardLines(source: ReadFile, scope: ReadScope, { first, last }: Span): Promise<TextView> {
  const place = await findLine(source.file, first, scope.meter);
  if ("lines" in place) return nothingThere(first, place.lines, scope);
  const page = newPage(scope, String);
  const end = await fillPage(source, scope, { page, start: place.start, first, last });
  if (page.first === undefined && end.kind === "end") return nothingThere(first, end.lines, scope);
  const stopped = incomplete(scope);
  const total = await totalLines(source, scope, end);
  return {
    text: page.text,
    notes: [...rangeNotes(page, total), ...markNotes(page.marks), ...stopped],
    partial: isPartial(page, scope),
  };
}

/** The end of a file too large to count its lines: they are numbered from the end. */
async function backwardLines(source: ReadFile, scope: ReadScope, range: ReadRange): Promise<TextView> {
  const { from = 1, to = -1 } = range;
  const { size } = source.stat;
  if (from > 0 || to > 0) {
    throw new ToolError(
      "usage",
      `lines: this file of ${size} bytes is too large to count its lines (setting read.fileBytes), so from and to must both count from the start, or both from the end.`,
      { argument: "lines" },
    );
  }
  const start = await findLineFromEnd(source.file, { size, count: -from, meter: scope.meter });
  if (start === undefined) return missed(`Line ${from} was not reached.`, scope);
  const page = newPage(scope, (number) => String(from - 1 + number));
  await fillPage(source, scope, { page, start, first: 1, last: to - from + 1 });
  const numbered = scope.request.annotate ? ["The lines are numbered from the end of the file."] : [];
  const next =
    page.next === undefined ? [] : [`Continue with lines: {"from": ${from - 1 + page.next}, "to": ${to}}.`];
  return {
    text: page.text,
    notes: [...numbered, ...next, ...cutNotes(page), ...markNotes(page.marks), ...incomplete(scope)],
    partial: isPartial(page, scope),
  };
}

function newPage({ request, budget }: ReadScope, label: (number: number) => string): LinePage {
  return new LinePage({
    maxBytes: budget.outputBytes,
    maxLines: request.lineLimit ?? Number.POSITIVE_INFINITY,
    label: request.annotate ? label : undefined,
  });
}

/** Undefined when the file is too large to count, or changed so that it cannot be told. */
async function totalLines(
  { file, stat }: ReadFile,
  scope: ReadScope,
  end: PageEnd,
): Promise<number | undefined> {
  if (end.kind === "end") return end.lines;
  if (end.kind === "inside" || stat.size > scope.budget.fileBytes) return undefined;
  const rest = await countLines(file, end.start, scope.meter);
  return rest === undefined ? undefined : end.number - 1 + rest;
}

function nothingThere(first: number, lines: number, scope: ReadScope): TextView {
  const stopped = incomplete(scope);
  if (stopped.length > 0) return missed(`Line ${first} was not reached.`, scope);
  if (lines === 0) return { text: "", notes: ["The file is empty."], partial: false };
  return {
    text: "",
    notes: [`There is no line ${first}: the file has ${lines} ${lines === 1 ? "line" : "lines"}.`],
    partial: false,
  };
}

function missed(why: string, scope: ReadScope): TextView {
  return { text: "", notes: [why, ...incomplete(scope)], partial: true };
}

function isPartial(page: LinePage, { meter }: ReadScope): boolean {
  return page.overflowed || meter.exhausted !== undefined;
}

/** Which lines these are, unless they are all; and how to get the rest. */
function rangeNotes(page: LinePage, total: number | undefined): readonly string[] {
  const { first, last, next } = page;
  if (first === undefined || last === undefined) return [];
  const whole = first === 1 && last === total;
  const lines = first === last ? `Line ${first}` : `Lines ${first}-${last}`;
  const shown = whole ? [] : [`${lines}${total === undefined ? "" : ` of ${total}`} shown.`];
  const more = next === undefined ? [] : [`Continue with offset: ${next}.`];
  const joined = [...shown, ...more].join(" ");
  return joined === "" ? cutNotes(page) : [joined, ...cutNotes(page)];
}

function cutNotes({ cut }: LinePage): readonly string[] {
  if (cut === undefined) return [];
  return [`Line ${cut.number} is too long and was cut. It goes on with bytes: {"from": ${cut.at + 1}}.`];
}

function incomplete({ meter }: ReadScope): readonly string[] {
  const text = meter.incomplete();
  return text === undefined ? [] : [text];
}
