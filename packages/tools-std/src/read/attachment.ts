import { basename } from "node:path";
import type { Block } from "@ashlar/context/tool";
import { shownName } from "../guard/shown-name.js";
import type { FileContent } from "./file-kind.js";
import { notesText } from "./read-notes.js";
import type { ReadFile, ReadScope } from "./read-scope.js";
import { readBytes } from "./text/file-chunks.js";
import type { TextView } from "./text/text-view.js";

/** The whole file as an image or binary block, after one line that names it. Too large: only that line and the limit. */
export async function attachFile(
  source: ReadFile,
  content: FileContent,
  scope: ReadScope,
): Promise<readonly Block[]> {
  const { path, file, stat } = source;
  const { artifactBytes } = scope.budget;
  const name = `${shownName(path.shown)}: ${content.mimetype}, ${stat.size} bytes`;
  // One byte more, so that a file that grew meanwhile is not passed off as whole.
  const bytes = stat.size > artifactBytes ? undefined : await readBytes(file, 0, stat.size + 1);
  if (bytes === undefined || bytes.byteLength > stat.size) {
    const note =
      bytes === undefined
        ? `Not attached: at most ${artifactBytes} bytes are (setting read.artifactBytes). Use bytes with base64 for a part.`
        : "Not attached: the file grew while it was read. Try again.";
    return [{ type: "text", text: `${name}\n${notesText([note])}` }];
  }
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  const text: Block = { type: "text", text: name };
  if (content.kind === "image") return [text, { type: "image", content: data, mimetype: content.mimetype }];
  return [text, { type: "binary", content: data, mimetype: content.mimetype, filename: basename(path.real) }];
}

/** What a file is whose content is no text, and how to get at it. */
export function binaryNotice({ path, stat }: ReadFile, { kind, mimetype }: FileContent): TextView {
  const what = kind === "utf-16" ? "UTF-16 text, which is not read as text" : `a binary file (${mimetype})`;
  return {
    text: `${shownName(path.shown)} is ${what}, ${stat.size} bytes.`,
    notes: ["binary: true attaches it; base64: true, with bytes for a part, gives its bytes."],
    partial: true,
  };
}
