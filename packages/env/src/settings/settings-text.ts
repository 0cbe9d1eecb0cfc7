import type { Node, ParseError } from "jsonc-parser";
import { isControlKey, type SettingsData, type SettingsPath } from "./settings-data.js";

export type Jsonc = typeof import("jsonc-parser");

/** Something wrong at a place of a settings text. Line and column start at 1. */
export interface TextProblem {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

/** Objects and arrays inside each other. */
const MAX_DEPTH = 100;

export type ParsedText =
  | {
      readonly ok: true;
      readonly data: SettingsData;
      /** Keys that were left out or stand twice. */
      readonly problems: readonly TextProblem[];
      /** Where the value at a path stands; undefined when it has none. */
      readonly placeOf: (path: SettingsPath) => Omit<TextProblem, "message"> | undefined;
    }
  | { readonly ok: false; readonly problem: TextProblem };

/** JSONC: comments and trailing commas are allowed, a byte order mark is skipped, an empty text is `{}`. */
export function parseSettingsText(text: string, jsonc: Jsonc): ParsedText {
  const body = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const failed = (message: string, offset: number): ParsedText => ({
    ok: false,
    problem: { message, ...placeAt(body, offset) },
  });
  const errors: ParseError[] = [];
  const reader = createReader(body);
  try {
    const root = jsonc.parseTree(body, errors, { allowTrailingComma: true, allowEmptyContent: true });
    const [first] = errors;
    if (first !== undefined)
      return failed(describeError(jsonc.printParseErrorCode(first.error)), first.offset);
    if (root === undefined) return { ok: true, data: {}, problems: [], placeOf: () => undefined };
    if (root.type !== "object") return failed(`an ${root.type} where an object was expected`, root.offset);
    const data = reader.object(root, 0);
    const { tooLarge } = reader.notes;
    if (tooLarge !== undefined) return failed("a number that is too large", tooLarge);
    return {
      ok: true,
      data,
      problems: reader.problems,
      placeOf: (path) => {
        const node = jsonc.findNodeAtLocation(root, [...path]);
        return node === undefined ? undefined : placeAt(body, node.offset);
      },
    };
  } catch (error) {
    if (error instanceof RangeError) return failed(`nested deeper than ${MAX_DEPTH} levels`, 0);
    throw error;
  }
}

/** Turns nodes into data by defining each key, so that no key reaches an object's prototype. */
function createReader(body: string): {
  readonly object: (node: Node, depth: number) => Record<string, unknown>;
  readonly problems: TextProblem[];
  /** What makes the whole text unfit. */
  readonly notes: { tooLarge?: number };
} {
  const problems: TextProblem[] = [];
  const notes: { tooLarge?: number } = {};
  const value = (node: Node, depth: number): unknown => {
    if (depth > MAX_DEPTH) throw new RangeError("too deep");
    if (node.type === "number" && !Number.isFinite(node.value)) notes.tooLarge ??= node.offset;
    if (node.type === "object") return object(node, depth);
    if (node.type === "array") return (node.children ?? []).map((child) => value(child, depth + 1));
    return node.value;
  };
  const object = (node: Node, depth: number): Record<string, unknown> => {
    const data: Record<string, unknown> = {};
    for (const { children: [keyNode, valueNode] = [] } of node.children ?? []) {
      if (keyNode === undefined || valueNode === undefined) continue;
      const key = String(keyNode.value);
      const note = (message: string): void => {
        problems.push({ message, ...placeAt(body, keyNode.offset) });
      };
      if (isControlKey(key)) {
        note(`the key "${key}" is not allowed and was left out`);
        continue;
      }
      if (Object.hasOwn(data, key)) note(`the key "${key}" stands twice; the last one counts`);
      data[key] = value(valueNode, depth + 1);
    }
    return data;
  };
  return { object, problems, notes };
}

function placeAt(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  const lastBreak = before.lastIndexOf("\n");
  return { line: before.split("\n").length, column: offset - lastBreak };
}

/** `CloseBraceExpected` → `close brace expected`. */
function describeError(code: string): string {
  return code.replace(/(?<=[a-z])[A-Z]/gu, (letter) => ` ${letter}`).toLowerCase();
}
