import type { Block, ToolResult } from "@ashlar/context/tool";
import { attachFile, binaryNotice } from "./attachment.js";
import { fileInfo } from "./file-info.js";
import { contentOf, HEAD_BYTES } from "./file-kind.js";
import { notesText, withNotes } from "./read-notes.js";
import type { ReadFile, ReadScope } from "./read-scope.js";
import { searchFile } from "./search/file-search.js";
import { readBytes } from "./text/file-chunks.js";
import { base64Bytes, textBytes } from "./text/text-bytes.js";
import { textCharacters } from "./text/text-characters.js";
import { textLines } from "./text/text-lines.js";
import type { TextView } from "./text/text-view.js";

/** One file, as the request wants to see it. */
export async function fileView(source: ReadFile, scope: ReadScope): Promise<ToolResult> {
  const { request } = scope;
  const content = contentOf(await readBytes(source.file, 0, HEAD_BYTES), source.path.real);
  if (request.info) return fileInfo(source, content, scope);
  if (request.base64) return rendered(await base64Bytes(source, scope, request.bytes ?? {}), false);
  if (request.binary) return attachFile(source, content, scope);
  const ranged = request.lines ?? request.characters ?? request.bytes ?? request.search;
  if (content.kind === "image" && ranged === undefined) return attachFile(source, content, scope);
  if (content.kind !== "text") return binaryNotice(source, content);
  if (request.search !== undefined) return searchFile(source, request.search, scope);
  const view = await textView(source, scope);
  return rendered(view, request.annotate && request.characters === undefined && request.bytes === undefined);
}

function textView(source: ReadFile, scope: ReadScope): Promise<TextView> {
  const { characters, bytes } = scope.request;
  if (characters !== undefined) return textCharacters(source, scope, characters);
  return bytes === undefined ? textLines(source, scope) : textBytes(source, scope, bytes);
}

/** Bare text stays bare: what has to be said about it comes in a block of its own. */
function rendered({ text, notes }: TextView, numbered: boolean): string | readonly Block[] {
  if (numbered || text === "" || notes.length === 0) return withNotes(text, notes);
  return [
    { type: "text", text },
    { type: "text", text: notesText(notes) },
  ];
}
