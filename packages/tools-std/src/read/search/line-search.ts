import type { OpenFile } from "@ashlar/context/tool";
import { ToolError } from "../../tool-error.js";
import type { ReadMeter } from "../read-meter.js";
import { chunksOf } from "../text/file-chunks.js";
import { type CutLine, LineCutter } from "../text/line-cutter.js";
import { decodeText, hasBom, wholeCharactersLength } from "../text/text-decoding.js";
import type { LineMatcher } from "./line-matcher.js";
import type { MatchCollector } from "./match-collector.js";

/** Bytes of one line that are searched. */
const MAX_LINE_BYTES = 1024 * 1024;

export interface LineSearch {
  readonly file: OpenFile;
  readonly matcher: LineMatcher;
  readonly collector: MatchCollector;
  readonly meter: ReadMeter;
}

/** Hands every line of a file to the collector, until it has enough. Gives how many lines were too long to search whole. */
export async function searchLines({ file, matcher, collector, meter }: LineSearch): Promise<number> {
  const cutter = new LineCutter({ number: 1, start: 0, maxLineBytes: MAX_LINE_BYTES });
  let long = 0;
  const take = async (lines: readonly CutLine[]): Promise<void> => {
    const texts = lines.map(lineText);
    const matches = await inTime(matcher(texts), meter, collector);
    for (const [index, line] of lines.entries()) {
      if (line.length > line.head.byteLength) long += 1;
      collector.line(line.number, texts[index] ?? "", matches[index] ?? false);
    }
  };
  for await (const { bytes } of chunksOf(file, 0, meter)) {
    await take(cutter.push(bytes));
    if (collector.more || !meter.goesOn()) return long;
  }
  await take(cutter.end());
  return long;
}

/** A pattern that runs out of time ends the search, not what was found before. */
async function inTime(
  matches: Promise<readonly boolean[]>,
  meter: ReadMeter,
  collector: MatchCollector,
): Promise<readonly boolean[]> {
  try {
    return await matches;
  } catch (cause) {
    if (!(cause instanceof ToolError && cause.kind === "timeout") || collector.shown === 0) throw cause;
    meter.patternTimedOut();
    return [];
  }
}

/** The text of a line without its end. */
function lineText({ head, start, length }: CutLine): string {
  const whole = length === head.byteLength ? head : head.subarray(0, wholeCharactersLength(head));
  const { text } = decodeText(start === 0 && hasBom(whole) ? whole.subarray(3) : whole);
  return text.replace(/\r?\n$/, "");
}
