import { type Document, isAlias, isMap, isScalar, isSeq, type Node } from "yaml";

/** What a header can hold: JSON. */
export type HeaderValue =
  | string
  | number
  | boolean
  | null
  | readonly HeaderValue[]
  | { readonly [key: string]: HeaderValue };

/** Deeper than any header that a person writes. */
const MAX_DEPTH = 16;

/** Why a document is not taken as plain data; the message is the rest of a sentence. */
export class HeaderRefusal extends Error {}

/** The JSON value of a parsed document. Throws a `HeaderRefusal` for tags, anchors, aliases and keys that are no texts. */
export function headerValue({ contents }: Document): HeaderValue {
  return contents === null ? null : plainValue(contents, 0);
}

function plainValue(node: unknown, depth: number): HeaderValue {
  if (node === null || node === undefined) return null;
  if (depth > MAX_DEPTH) throw new HeaderRefusal(`nests deeper than ${MAX_DEPTH} levels`);
  if (isAlias(node)) throw new HeaderRefusal(`refers to *${node.source}, and references are not taken`);
  if (isScalar(node)) {
    refuseExtras(node);
    return scalarOf(node.value, node.source);
  }
  if (isSeq(node)) {
    refuseExtras(node);
    return node.items.map((item) => plainValue(item, depth + 1));
  }
  if (!isMap(node)) throw new HeaderRefusal("holds something that is no data");
  refuseExtras(node);
  const entries = node.items.map(({ key, value }) => [keyOf(key), plainValue(value, depth + 1)] as const);
  return Object.fromEntries(entries);
}

function refuseExtras({ tag, anchor }: Node & { readonly anchor?: string }): void {
  // A tag is set on each collection and scalar that was written with one.
  if (tag !== undefined) throw new HeaderRefusal(`has the tag ${tag}, and tags are not taken`);
  if (anchor !== undefined) throw new HeaderRefusal(`has the anchor &${anchor}, and anchors are not taken`);
}

function keyOf(key: unknown): string {
  if (isScalar(key)) {
    refuseExtras(key);
    return key.source ?? String(key.value);
  }
  throw new HeaderRefusal("has a key that is no text");
}

/** Numbers that JSON does not know stay the text they were written as. */
function scalarOf(value: unknown, source: string | undefined): HeaderValue {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  return source ?? String(value);
}
