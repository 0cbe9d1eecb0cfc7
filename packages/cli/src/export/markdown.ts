import type { BranchItem } from "./branch-items.js";
import { bytesOf, type ItemPart, isMachineText, isoMinute, partsOf, speakerOf } from "./item-parts.js";
import type { DocumentBranch, SessionDocument } from "./session-document.js";

/** What Markdown would read as more than text. */
const SPECIAL = /[\\`*_{}[\]<>#|~&]/g;
const FENCE_LINE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
const LINE_END = /\r\n?|\n/;
const SHORTEST_FENCE = 3;

/** A session as Markdown, piece by piece. What people and models wrote stays the Markdown that it is. */
export function* markdownText(document: SessionDocument): Generator<string, void, undefined> {
  const { info, stats, damage } = document;
  yield `# ${plain(info.name ?? info.preview ?? info.id)}\n\n`;
  const model = info.settings?.model;
  const facts = [
    `session: ${info.id}`,
    ...(info.cwd === undefined ? [] : [`project: ${plain(info.cwd)}`]),
    ...(typeof model === "string" ? [`model: ${plain(model)}`] : []),
    `time: ${isoMinute(info.created)} to ${isoMinute(info.updated)}`,
    `messages: ${stats.messages}`,
    `tokens: ${stats.usage.inputTokens} in, ${stats.usage.outputTokens} out`,
  ];
  yield `${facts.map((fact) => `- ${fact}`).join("\n")}\n`;
  if (damage.length > 0) yield `\n${damage.map(({ message }) => `> ${plain(message)}`).join("\n>\n")}\n`;
  for (const [position, branch] of document.branches.entries()) {
    if (position > 0) yield branchHeading(branch);
    for (const item of branch.items) yield itemMarkdown(item, document.labels);
  }
}

function branchHeading({ title, from }: DocumentBranch): string {
  return `\n---\n\n# ${plain(title)}\n\nFrom ${from === null ? "the beginning" : plain(from)}.\n`;
}

function itemMarkdown(item: BranchItem, labels: ReadonlyMap<string, string>): string {
  const label = labels.get(item.entry);
  const marks = [
    plain(speakerOf(item)),
    isoMinute(item.at),
    ...(item.origin === "edited" ? ["edited"] : []),
    ...(label === undefined ? [] : [`label: ${plain(label)}`]),
  ];
  const parts = partsOf(item).map((part) => partMarkdown(part, isMachineText(item)));
  return `\n## ${marks.join(" · ")}\n${parts.map((part) => `\n${part}\n`).join("")}`;
}

function partMarkdown(part: ItemPart, isMachine: boolean): string {
  switch (part.type) {
    case "text":
      return isMachine ? fenced(part.text, "") : withClosedFence(part.text);
    case "thinking":
      return part.text
        .split("\n")
        .map((line) => `> ${plain(line)}`.trimEnd())
        .join("\n");
    case "call":
      return `Calls **${plain(part.name)}**:\n\n${fenced(part.args, "json")}`;
    case "attachment":
      return `*${plain(part.name)}, ${plain(part.mimetype ?? "type unknown")}, ${bytesOf(part.base64)} bytes*`;
    case "error":
      return `**Failed:** ${plain(part.text)}`;
    case "data":
      return fenced(part.text, "json");
  }
}

/** On one line, so that a name cannot start a block of its own. */
function plain(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll(SPECIAL, "\\$&");
}

/** A fence longer than any in the text, so that nothing in it ends the block. */
function fenced(text: string, language: string): string {
  const longest = longestRun(text);
  const fence = "`".repeat(Math.max(SHORTEST_FENCE, longest + 1));
  return `${fence}${language}\n${text.replace(/\n$/, "")}\n${fence}`;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

/** A block of code that the text leaves open would take in all that follows. */
function withClosedFence(text: string): string {
  let open: string | undefined;
  for (const line of text.split(LINE_END)) {
    const [, fence = "", rest = ""] = FENCE_LINE.exec(line) ?? [];
    if (fence === "") continue;
    if (open === undefined) open = fence;
    else if (fence[0] === open[0] && fence.length >= open.length && rest.trim() === "") open = undefined;
  }
  return open === undefined ? text : `${text.replace(/\n$/, "")}\n${open}`;
}
