import { visibleLine, visibleText } from "../terminal-text.js";
import type { BranchItem } from "./branch-items.js";
import { bytesOf, type ItemPart, isMachineText, isoMinute, partsOf, speakerOf } from "./item-parts.js";
import type { SessionDocument } from "./session-document.js";

const TOOL_LINES = 20;
const ARGUMENT_LINES = 8;
const LINE_CHARACTERS = 2_000;
const HALF_CHARACTER = /[\ud800-\udbff]$/;

export interface ConversationOptions {
  /** Only the last items. Default: all. */
  readonly limit?: number;
  /** Tool output and arguments whole. Default false: their first lines. */
  readonly full?: boolean;
}

/** A conversation for a terminal, whatever it says: nothing in it steers one. Each text ends in a line feed. */
export function* conversationText(
  document: SessionDocument,
  { limit, full = false }: ConversationOptions = {},
): Generator<string, void, undefined> {
  for (const line of headOf(document)) yield `${line}\n`;
  for (const [position, branch] of document.branches.entries()) {
    if (position > 0) yield `\n===== ${visibleLine(branch.title)}, from ${branch.from ?? "the beginning"}\n`;
    const hidden = limit === undefined ? 0 : Math.max(0, branch.items.length - limit);
    if (hidden > 0) yield `\n… ${hidden} earlier ones\n`;
    for (const item of branch.items.slice(hidden)) yield itemText(item, document.labels, full);
  }
}

function headOf({ info, stats }: SessionDocument): readonly string[] {
  const { messages, requests, usage } = stats;
  const model = info.settings?.model;
  const cost = usage.cost === undefined ? "" : `, $${usage.cost.toFixed(4)}`;
  return [
    `session  ${info.id}${info.name === undefined ? "" : `  ${visibleLine(info.name)}`}`,
    ...(info.cwd === undefined ? [] : [`project  ${visibleLine(info.cwd)}`]),
    ...(typeof model === "string" ? [`model    ${visibleLine(model)}`] : []),
    ...(info.parent === undefined ? [] : [`from     ${visibleLine(info.parent.session)}`]),
    `time     ${isoMinute(info.created)} to ${isoMinute(info.updated)}`,
    `size     ${messages} messages, ${requests} requests, ${usage.inputTokens} tokens in, ${usage.outputTokens} out${cost}`,
  ];
}

function itemText(item: BranchItem, labels: ReadonlyMap<string, string>, full: boolean): string {
  const label = labels.get(item.entry);
  const marks = [
    visibleLine(speakerOf(item)),
    isoMinute(item.at),
    ...(item.origin === "edited" ? ["edited"] : []),
    ...(label === undefined ? [] : [`label: ${visibleLine(label)}`]),
  ];
  const isShort = isMachineText(item) && !full;
  const parts = partsOf(item).map((part) => partText(part, isShort, full));
  return `\n----- ${marks.join(" · ")}\n${parts.join("\n")}\n`;
}

function partText(part: ItemPart, isShort: boolean, full: boolean): string {
  switch (part.type) {
    case "text":
      return visibleText(isShort ? firstLines(part.text, TOOL_LINES) : part.text);
    case "thinking":
      return visibleText(indented(`(thinking) ${part.text}`));
    case "call":
      return visibleText(`> ${part.name} ${full ? part.args : firstLines(part.args, ARGUMENT_LINES)}`);
    case "attachment":
      return visibleLine(`[${part.name}, ${part.mimetype ?? "type unknown"}, ${bytesOf(part.base64)} bytes]`);
    case "error":
      return visibleText(`! ${part.text}`);
    case "data":
      return visibleText(full ? part.text : firstLines(part.text, ARGUMENT_LINES));
  }
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, "  ");
}

function firstLines(text: string, count: number): string {
  const lines = text.split("\n", count + 1);
  const kept = lines.slice(0, count).map(shortened);
  const isWhole = lines.length <= count && kept.every((line, index) => line === lines[index]);
  return isWhole ? text : `${kept.join("\n")}\n… (${text.length} characters in all; --full shows them)`;
}

function shortened(line: string): string {
  return line.length > LINE_CHARACTERS ? line.slice(0, LINE_CHARACTERS).replace(HALF_CHARACTER, "") : line;
}
