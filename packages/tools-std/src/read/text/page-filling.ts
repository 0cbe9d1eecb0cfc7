import type { ReadFile, ReadScope } from "../read-scope.js";
import { chunksOf } from "./file-chunks.js";
import { LineCutter } from "./line-cutter.js";
import type { LinePage } from "./line-page.js";

export interface PageRequest {
  readonly page: LinePage;
  /** Byte position, from 0, where line `first` begins. */
  readonly start: number;
  readonly first: number;
  /** The last line that is wanted. */
  readonly last: number;
}

/** Where reading stopped: after the last line of the file, before a line, or somewhere inside. */
export type PageEnd =
  | { readonly kind: "end"; readonly lines: number }
  | { readonly kind: "line"; readonly number: number; readonly start: number }
  | { readonly kind: "inside" };

/** Reads lines into the page until it is full, the range ends or the file does. */
export async function fillPage(source: ReadFile, scope: ReadScope, request: PageRequest): Promise<PageEnd> {
  const { page, start, first, last } = request;
  const { outputBytes } = scope.budget;
  const cutter = new LineCutter({ number: first, start, maxLineBytes: outputBytes });
  let lines = first - 1;
  for await (const { bytes } of chunksOf(source.file, start, scope.meter)) {
    for (const line of cutter.push(bytes)) {
      if (!page.full && line.number <= last) page.add(line);
      if (page.full || line.number > last) return { kind: "line", number: line.number, start: line.start };
      lines = line.number;
    }
    // Of one endless line enough was seen.
    if (cutter.pendingBytes > outputBytes) break;
  }
  for (const line of cutter.end()) {
    if (line.number > last) return { kind: "line", number: line.number, start: line.start };
    page.add(line);
    lines = line.number;
  }
  return page.full || scope.meter.exhausted !== undefined ? { kind: "inside" } : { kind: "end", lines };
}
