import type { Edit, Node } from "jsonc-parser";
import type { SettingsPath } from "./settings-data.js";
import type { Jsonc } from "./settings-text.js";

/**
 * The text with one value set, or with `undefined` removed. Nothing else changes: the library's own `modify` reformats
 * neighbours, drops comments beside a removed key and gives a new key its neighbour's comment.
 */
export function editSettingsText(text: string, path: SettingsPath, value: unknown, jsonc: Jsonc): string {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const body = text.slice(mark.length);
  const root = jsonc.parseTree(body, [], { allowTrailingComma: true, allowEmptyContent: true });
  if (root === undefined) {
    if (value === undefined) return text;
    const end = body === "" || body.endsWith("\n") ? body : `${body}\n`;
    return `${mark}${end}${JSON.stringify(nest(path, value), null, 2)}\n`;
  }
  return mark + jsonc.applyEdits(body, editsFor({ body, root, path, value, jsonc }));
}

interface EditRequest {
  readonly body: string;
  readonly root: Node;
  readonly path: SettingsPath;
  readonly value: unknown;
  readonly jsonc: Jsonc;
}

function editsFor({ body, root, path, value, jsonc }: EditRequest): Edit[] {
  let object = root;
  for (const [depth, key] of path.entries()) {
    const property = propertyOf(object, key);
    const rest = path.slice(depth + 1);
    if (property === undefined) {
      return value === undefined ? [] : insertion(body, object, { key, value: nest(rest, value) }, jsonc);
    }
    const held = property.children?.[1];
    if (held === undefined) return [];
    if (rest.length > 0 && held.type === "object") {
      object = held;
      continue;
    }
    if (value !== undefined) return [replacement(body, held, nest(rest, value))];
    return rest.length === 0 ? removal(body, object, property, jsonc) : [];
  }
  return [];
}

/** Of a key that stands twice, the last one: the one that counts. */
function propertyOf(object: Node, key: string): Node | undefined {
  return object.children?.findLast((property) => property.children?.[0]?.value === key);
}

function nest(path: SettingsPath, value: unknown): unknown {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
}

function replacement(body: string, node: Node, value: unknown): Edit {
  return {
    offset: node.offset,
    length: node.length,
    content: render(body, value, lineIndent(body, node.offset)),
  };
}

function insertion(
  body: string,
  object: Node,
  { key, value }: { readonly key: string; readonly value: unknown },
  jsonc: Jsonc,
): Edit[] {
  const close = object.offset + object.length - 1;
  const end = body.slice(0, close).trimEnd().length;
  const last = object.children?.at(-1);
  const inside = body.slice(object.offset, close);
  const comma = last === undefined ? undefined : commaAfter(body, last, jsonc);
  if (last !== undefined && !inside.includes("\n")) {
    const separator = comma === undefined ? ", " : " ";
    return [
      { offset: end, length: 0, content: `${separator}${JSON.stringify(key)}: ${JSON.stringify(value)}` },
    ];
  }
  const outer = lineIndent(body, object.offset);
  const indent = last === undefined ? outer + indentUnit(body) : lineIndent(body, last.offset);
  const line = `${lineBreak(body)}${indent}${JSON.stringify(key)}: ${render(body, value, indent)}`;
  const edits: Edit[] = [];
  if (last !== undefined && comma === undefined) {
    edits.push({ offset: last.offset + last.length, length: 0, content: "," });
  }
  const closing = body.slice(end, close).includes("\n") ? "" : lineBreak(body) + outer;
  edits.push({ offset: end, length: 0, content: `${line}${comma === undefined ? "" : ","}${closing}` });
  return edits;
}

function removal(body: string, object: Node, property: Node, jsonc: Jsonc): Edit[] {
  const siblings = object.children ?? [];
  const index = siblings.indexOf(property);
  const after = commaAfter(body, property, jsonc);
  let start = property.offset;
  let end = property.offset + property.length;
  const edits: Edit[] = [];
  if (after === end) end += 1;
  else if (after !== undefined) edits.push({ offset: after, length: 1, content: "" });
  const previous = siblings[index - 1];
  if (after === undefined && previous !== undefined) {
    const before = commaAfter(body, previous, jsonc);
    if (before !== undefined) edits.push({ offset: before, length: 1, content: "" });
  }
  let lead = start;
  while (/[ \t]/u.test(body[lead - 1] ?? "")) lead -= 1;
  const space = /^[ \t]*/u.exec(body.slice(end))?.[0] ?? "";
  const onlyOnLine = body[lead - 1] === "\n";
  if (!onlyOnLine) start = lead;
  else end += space.length;
  if (onlyOnLine && /^(\r?\n|$)/u.test(body.slice(end))) start = lead - (body[lead - 2] === "\r" ? 2 : 1);
  edits.push({ offset: start, length: end - start, content: "" });
  return edits.sort((a, b) => a.offset - b.offset);
}

/** Offset of the comma that follows a node, comments between them skipped. */
function commaAfter(body: string, node: Node, jsonc: Jsonc): number | undefined {
  const scanner = jsonc.createScanner(body, true);
  scanner.setPosition(node.offset + node.length);
  scanner.scan();
  const offset = scanner.getTokenOffset();
  return body[offset] === "," ? offset : undefined;
}

function render(body: string, value: unknown, indent: string): string {
  return JSON.stringify(value, null, indentUnit(body)).replaceAll("\n", lineBreak(body) + indent);
}

function lineIndent(body: string, offset: number): string {
  const start = body.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/u.exec(body.slice(start, offset))?.[0] ?? "";
}

function indentUnit(body: string): string {
  return /^[ \t]+(?=")/mu.exec(body)?.[0] ?? "  ";
}

function lineBreak(body: string): string {
  return body.includes("\r\n") ? "\r\n" : "\n";
}
