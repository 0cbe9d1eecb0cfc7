import { type ContextItem, isMessage, MessageType } from "@ashlar/context";
import type { BranchItem } from "./branch-items.js";
import { HTML_STYLE } from "./html-style.js";
import { escaped, imageAddress } from "./html-text.js";
import { bytesOf, type ItemPart, isMachineText, isoMinute, partsOf, speakerOf } from "./item-parts.js";
import { markdownHtml, preformatted } from "./markdown-html.js";
import type { DocumentBranch, SessionDocument } from "./session-document.js";

/** Even what was not escaped could not run or ask for anything. */
const CONTENT_RULE =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";
const SUMMARY_CHARACTERS = 100;
/** Machine text up to this is open at once. */
const SHORT_CHARACTERS = 400;

/** A session as one HTML page that loads nothing, piece by piece. Whatever the session says stays text. */
export function* htmlText(document: SessionDocument): Generator<string, void, undefined> {
  const { info, damage } = document;
  const title = escaped(info.name ?? info.preview ?? info.id);
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${CONTENT_RULE}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${HTML_STYLE}</style>
</head>
<body>
<h1>${title}</h1>
<dl>
${factsOf(document)
  .map(([name, value]) => `<dt>${name}</dt><dd>${escaped(value)}</dd>`)
  .join("\n")}
</dl>
${damage.map(({ message }) => `<p class="damage">${escaped(message)}</p>\n`).join("")}`;
  for (const [position, branch] of document.branches.entries()) {
    if (position > 0) yield branchHeading(branch);
    for (const item of branch.items) yield itemHtml(item, document.labels);
  }
  yield "</body>\n</html>\n";
}

function factsOf({ info, stats }: SessionDocument): readonly (readonly [string, string])[] {
  const { usage } = stats;
  const model = info.settings?.model;
  const cost = usage.cost === undefined ? "" : `, $${usage.cost.toFixed(4)}`;
  return [
    ["session", info.id],
    ...(info.cwd === undefined ? [] : [["project", info.cwd] as const]),
    ...(typeof model === "string" ? [["model", model] as const] : []),
    ["time", `${isoMinute(info.created)} to ${isoMinute(info.updated)}`],
    ["size", `${stats.messages} messages, ${usage.inputTokens} tokens in, ${usage.outputTokens} out${cost}`],
  ];
}

function branchHeading({ title, from }: DocumentBranch): string {
  return `<h2 class="branch">${escaped(title)}, from ${from === null ? "the beginning" : escaped(from)}</h2>\n`;
}

function itemHtml(branchItem: BranchItem, labels: ReadonlyMap<string, string>): string {
  const { item, at, entry, origin } = branchItem;
  const label = labels.get(entry);
  const isMachine = isMachineText(branchItem);
  const isSummary = origin === "compaction" || origin === "branch summary";
  return `<article class="${isSummary ? "summary" : roleClass(item)}">
<header><b>${escaped(speakerOf(branchItem))}</b><span>${isoMinute(at)}</span>${origin === "edited" ? "<span>edited</span>" : ""}${
    label === undefined ? "" : `<span class="label">${escaped(label)}</span>`
  }</header>
${partsOf(branchItem)
  .map((part) => partHtml(part, isMachine))
  .join("\n")}
</article>
`;
}

function roleClass(item: ContextItem): string {
  if (!isMessage(item)) return "record";
  switch (item.type) {
    case MessageType.user:
      return "user";
    case MessageType.assistant:
      return "assistant";
    case MessageType.toolResult:
      return "result";
    default:
      return "system";
  }
}

function partHtml(part: ItemPart, isMachine: boolean): string {
  switch (part.type) {
    case "text":
      return isMachine
        ? folded(firstLine(part.text), part.text, part.text.length <= SHORT_CHARACTERS)
        : markdownHtml(part.text);
    case "thinking":
      return `<details class="thinking"><summary>thinking</summary>${preformatted(part.text)}</details>`;
    case "call":
      return folded(`${part.name} ${firstLine(part.args.replaceAll(/\s+/g, " "))}`, part.args, false);
    case "attachment":
      return attachmentHtml(part);
    case "error":
      return `<p class="error">${escaped(part.text)}</p>`;
    case "data":
      return folded("data", part.text, false);
  }
}

function attachmentHtml({ mimetype, base64, name }: ItemPart & { readonly type: "attachment" }): string {
  const address = imageAddress(mimetype, base64);
  if (address !== undefined) return `<p><img alt="${escaped(name)}" src="${address}"></p>`;
  return `<p>${escaped(name)}, ${escaped(mimetype ?? "type unknown")}, ${bytesOf(base64)} bytes</p>`;
}

function folded(summary: string, text: string, isOpen: boolean): string {
  return `<details${isOpen ? " open" : ""}><summary>${escaped(summary)}</summary><pre>${escaped(text)}</pre></details>`;
}

function firstLine(text: string): string {
  const [line = ""] = text.trimStart().split("\n", 1);
  const characters = Array.from(line.slice(0, 2 * SUMMARY_CHARACTERS));
  return characters.length <= SUMMARY_CHARACTERS
    ? line
    : `${characters.slice(0, SUMMARY_CHARACTERS).join("")}…`;
}
