import { type Message, MessageType, type ToolResultMessage } from "@ashlar/context";
import { lastUserText, linesOf, textOf } from "./prompt.js";
import type { SpokenTurn } from "./spoken-turn.js";

const FALLBACK_FILES = ["README.md", "package.json"];
const FILE_NAME =
  /(?:^|[\s"'`(<])(?!e\.g\b|i\.e\b)((?:\.{0,2}\/)?[\w@.+-]+(?:\/[\w@.+-]+)*\.[A-Za-z]\w{0,9})(?=$|[\s"'`)>,;:!?.])/;
const MAX_QUOTE_CHARACTERS = 200;

/** Reads the file that the prompt names (else README.md, else package.json) with the `read` tool, then quotes its first line. */
export function read(context: readonly Message[], toolNames: readonly string[]): SpokenTurn {
  if (!toolNames.includes("read")) return [{ text: "I was given no `read` tool, so I cannot read a file." }];
  const results = resultsOfThisTurn(context);
  const good = results.findLast(({ message }) => message.error !== true);
  if (good !== undefined) return [{ text: answer(good.path, textOf(good.message)) }];
  const wanted = [...new Set([fileNamedIn(lastUserText(context)), ...FALLBACK_FILES])];
  const path = wanted.filter((file) => file !== undefined)[results.length];
  const last = results.at(-1);
  if (path !== undefined)
    return [{ thinking: `I read ${path} first.` }, { toolCall: { name: "read", arguments: { path } } }];
  return [
    {
      text: `I could not read a file: ${last === undefined ? "nothing to read" : firstLine(textOf(last.message))}`,
    },
  ];
}

function answer(path: string, content: string): string {
  return `The first line of ${path} is: ${firstLine(content)}`;
}

/** The first line with a letter or digit in it, so that a lone brace does not count; without the number that tools put before it. */
function firstLine(content: string): string {
  const line = linesOf(content).find((candidate) => /[\p{L}\p{N}]/u.test(candidate)) ?? "(empty)";
  return line.slice(0, MAX_QUOTE_CHARACTERS);
}

/** A word with a file ending, quoted or not. */
function fileNamedIn(prompt: string): string | undefined {
  return FILE_NAME.exec(prompt)?.[1];
}

function resultsOfThisTurn(
  context: readonly Message[],
): { readonly message: ToolResultMessage; readonly path: string }[] {
  const start = context.findLastIndex(({ type }) => type === MessageType.user);
  const paths = new Map<string, string>();
  const results: { message: ToolResultMessage; path: string }[] = [];
  for (const message of context.slice(start + 1)) {
    if (message.type === MessageType.assistant) {
      for (const block of message.content) {
        if (block.type === "toolCall") paths.set(block.callId, pathOf(block.arguments));
      }
    } else if (message.type === MessageType.toolResult && (message.name ?? "read") === "read") {
      results.push({ message, path: paths.get(message.callId) ?? "the file" });
    }
  }
  return results;
}

function pathOf(args: unknown): string {
  const path = typeof args === "object" && args !== null && "path" in args ? args.path : undefined;
  return typeof path === "string" ? path : "the file";
}
