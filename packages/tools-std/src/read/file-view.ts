import { attachFile, binaryNotice } from "./attachment.js";
import { fileInfo } from "./file-info.js";
import { contentOf, HEAD_BYTES } from "./file-kind.js";
import type { ReadRequest } from "./read-request.js";
import type { ReadFile, ReadScope } from "./read-scope.js";
import type { ReadView } from "./read-view.js";
import { searchFile } from "./search/file-search.js";
import { readBytes } from "./text/file-chunks.js";
import { base64Bytes, textBytes } from "./text/text-bytes.js";
import { textCharacters } from "./text/text-characters.js";
import { textLines } from "./text/text-lines.js";
import type { TextView } from "./text/text-view.js";

/** One file, as the request wants to see it. */
export async function fileView(source: ReadFile, scope: ReadScope): Promise<ReadView> {
  const { request } = scope;
  const content = contentOf(await readBytes(source.file, 0, HEAD_BYTES), source.path.real);
  if (request.info) return { ...(await fileInfo(source, content, scope)), bare: false };
  if (request.base64) return { ...(await base64Bytes(source, scope, request.bytes ?? {})), bare: true };
  const whole = !isRanged(request) && (content.kind === "image" || copies(request));
  if (request.binary || whole) return { blocks: await attachFile(source, content, scope) };
  if (content.kind !== "text") return { ...binaryNotice(source, content), bare: false };
  if (request.search !== undefined)
    return { ...(await searchFile(source, request.search, scope)), bare: false };
  const numbered = request.annotate && request.characters === undefined && request.bytes === undefined;
  return { ...(await textView(source, scope)), bare: !numbered };
}

function isRanged({ lines, characters, bytes, search }: ReadRequest): boolean {
  return (lines ?? characters ?? bytes ?? search) !== undefined;
}

/** A file that is saved whole is copied, byte for byte. */
function copies({ target, annotate, offset, lineLimit }: ReadRequest): boolean {
  return target !== undefined && !annotate && offset === 1 && lineLimit === undefined;
}

function textView(source: ReadFile, scope: ReadScope): Promise<TextView> {
  const { characters, bytes } = scope.request;
  if (characters !== undefined) return textCharacters(source, scope, characters);
  return bytes === undefined ? textLines(source, scope) : textBytes(source, scope, bytes);
}
