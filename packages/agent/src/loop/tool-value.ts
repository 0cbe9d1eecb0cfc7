import {
  type BinaryBlock,
  type Block,
  type ImageBlock,
  mimeDetect,
  type TextBlock,
  wellFormed,
} from "@ashlar/context";
import { boundText, MAX_RESULT_CHARACTERS } from "./bounded-text.js";
import { isObject } from "./json-object.js";
import { jsonText } from "./json-text.js";

/** What a tool gave back, in the shape the context takes. */
export interface ToolAnswer {
  readonly content: readonly Block[];
  readonly error: boolean;
  /** Texts that join the context after the batch. */
  readonly system: readonly string[];
  /** For viewers only. */
  readonly display: readonly Block[] | undefined;
}

const MAX_BINARY_BYTES = 16 * 1024 * 1024;
const PAYLOAD_KEYS: ReadonlySet<string> = new Set(["result", "system", "display"]);

/** Reads any value a tool may return. */
export function readToolValue(value: unknown): ToolAnswer {
  if (isPayload(value)) {
    return {
      content: contentOf(value.result),
      error: false,
      system: textsOf(value.system),
      display: value.display === undefined || value.display === null ? undefined : contentOf(value.display),
    };
  }
  const error = isObject(value) && value.isError === true && isBlocks(value.content);
  return { content: contentOf(value), error, system: [], display: undefined };
}

/** Reads what a tool threw. An error may carry `system` texts as a result does. */
export function readToolError(error: unknown): ToolAnswer {
  const system = isObject(error) ? textsOf(error.system) : [];
  return errorAnswer(errorText(error), system);
}

export function errorAnswer(text: string, system: readonly string[] = []): ToolAnswer {
  return { content: [textBlock(text)], error: true, system, display: undefined };
}

export function errorText(error: unknown): string {
  if (error instanceof Error) return error.message || error.name;
  return typeof error === "string" && error !== "" ? error : `It failed with ${jsonText(error)}.`;
}

function contentOf(value: unknown): readonly Block[] {
  if (isBlocks(value)) return rebuildAll(value);
  if (isObject(value) && isBlocks(value.content)) return rebuildAll(value.content);
  if (value === undefined || value === "") return [textBlock("(no output)")];
  if (typeof value === "string") return [textBlock(value)];
  const bytes = bytesOf(value);
  return [bytes === undefined ? textBlock(jsonText(value)) : binaryBlock(bytes)];
}

function textBlock(text: string, limit: number = MAX_RESULT_CHARACTERS): Block {
  return { type: "text", text: wellFormed(boundText(text, limit)) };
}

/** Built anew from the fields a result may have, so that nothing in it is other than JSON, and bounded as a whole. */
function rebuildAll(blocks: readonly ResultBlock[]): readonly Block[] {
  const kept: Block[] = [];
  let characters = MAX_RESULT_CHARACTERS;
  let bytes = MAX_BINARY_BYTES;
  for (const block of blocks) {
    const room = block.type === "text" ? characters : bytes;
    if (block.type === "text") characters -= block.text.length;
    else bytes -= block.content.length * 0.75;
    if (block.type === "text" && room > 0) kept.push(textBlock(block.text, room));
    else if (block.type !== "text" && bytes >= 0) kept.push(attachment(block));
  }
  const dropped = blocks.length - kept.length;
  return dropped === 0
    ? kept
    : [...kept, textBlock(`(${dropped} more parts left out: the result is too large)`)];
}

function attachment(block: ImageBlock | BinaryBlock): Block {
  const mimetype = typeof block.mimetype === "string" ? { mimetype: block.mimetype } : {};
  if (block.type === "image") return { type: "image", content: block.content, ...mimetype };
  const filename = typeof block.filename === "string" ? { filename: block.filename } : {};
  return { type: "binary", content: block.content, ...mimetype, ...filename };
}

function bytesOf(value: unknown): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  return ArrayBuffer.isView(value)
    ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    : undefined;
}

function binaryBlock(bytes: Uint8Array): Block {
  if (bytes.byteLength > MAX_BINARY_BYTES) {
    return textBlock(
      `(${bytes.byteLength} bytes left out: a result holds at most ${MAX_BINARY_BYTES} bytes)`,
    );
  }
  const mimetype = mimeDetect({ bytes });
  const content = base64(bytes);
  return mimetype.startsWith("image/")
    ? { type: "image", content, mimetype }
    : { type: "binary", content, mimetype };
}

function base64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let start = 0; start < bytes.length; start += 0x8000) {
    parts.push(String.fromCharCode(...bytes.subarray(start, start + 0x8000)));
  }
  return btoa(parts.join(""));
}

function textsOf(value: unknown): readonly string[] {
  const list = Array.isArray(value) ? value : [value];
  return list
    .filter((text) => typeof text === "string" && text.trim() !== "")
    .map((text) => wellFormed(boundText(text)));
}

function isPayload(value: unknown): value is { result: unknown; system?: unknown; display?: unknown } {
  return (
    isObject(value) &&
    Object.hasOwn(value, "result") &&
    Object.keys(value).every((key) => PAYLOAD_KEYS.has(key))
  );
}

/** Only what a result may hold counts: other arrays of objects with a `type` are data, shown as JSON. */
function isBlocks(value: unknown): value is readonly ResultBlock[] {
  return Array.isArray(value) && value.length > 0 && value.every(isResultBlock);
}

type ResultBlock = TextBlock | ImageBlock | BinaryBlock;

function isResultBlock(value: unknown): value is ResultBlock {
  if (!isObject(value)) return false;
  if (value.type === "text") return typeof value.text === "string";
  return (value.type === "image" || value.type === "binary") && typeof value.content === "string";
}
