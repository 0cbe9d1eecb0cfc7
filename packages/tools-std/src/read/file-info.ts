import { shownName } from "../guard/shown-name.js";
import type { FileContent } from "./file-kind.js";
import type { ReadFile, ReadScope } from "./read-scope.js";
import { chunksOf } from "./text/file-chunks.js";
import { hasBom } from "./text/text-decoding.js";
import type { TextView } from "./text/text-view.js";

const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** Facts about a file, one a line. */
export async function fileInfo(source: ReadFile, content: FileContent, scope: ReadScope): Promise<TextView> {
  const { path, stat } = source;
  const facts = [
    shownName(path.shown),
    `size: ${stat.size} bytes`,
    `modified: ${new Date(stat.mtimeMs).toISOString()}`,
    `type: ${content.mimetype} (${content.kind})`,
    ...(content.kind === "text" ? await textFacts(source, scope) : []),
  ];
  return { text: facts.join("\n"), notes: [], partial: scope.meter.exhausted !== undefined };
}

async function textFacts({ file, stat }: ReadFile, { budget, meter }: ReadScope): Promise<readonly string[]> {
  if (stat.size > budget.fileBytes)
    return ["lines: not counted, the file is too large (setting read.fileBytes)"];
  const ends = { lf: 0, crlf: 0 };
  let before = 0;
  let bom = false;
  for await (const { bytes, at } of chunksOf(file, 0, meter)) {
    bom ||= at === 0 && hasBom(bytes);
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, end + 1)) {
      const previous = end === 0 ? before : (bytes[end - 1] ?? 0);
      ends[previous === RETURN ? "crlf" : "lf"] += 1;
    }
    before = bytes[bytes.byteLength - 1] ?? before;
  }
  const open = stat.size > 0 && before !== NEWLINE;
  const stopped = meter.incomplete();
  return [
    `lines: ${ends.lf + ends.crlf + (open ? 1 : 0)}`,
    `line ends: ${lineEnds(ends)}${open ? "; none after the last line" : ""}`,
    ...(bom ? ["begins with a byte order mark"] : []),
    ...(stopped === undefined ? [] : [stopped]),
  ];
}

function lineEnds({ lf, crlf }: { readonly lf: number; readonly crlf: number }): string {
  if (lf > 0 && crlf > 0) return `mixed (${crlf} CRLF, ${lf} LF)`;
  if (crlf > 0) return "CRLF";
  return lf > 0 ? "LF" : "none";
}
