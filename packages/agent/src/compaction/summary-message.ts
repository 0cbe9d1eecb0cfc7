import {
  type Block,
  type ContextItem,
  isMessage,
  type JsonObject,
  MessageType,
  type TextBlock,
  type UserMessage,
} from "@ashlar/context";
import { isObject } from "../loop/json-object.js";

/** Project files that calls read or changed, newest last. */
export interface FileLists {
  readonly read: readonly string[];
  readonly changed: readonly string[];
}

/** The parts of a summary, as its message shows them. */
export interface SummaryParts {
  readonly text: string;
  /** Of this and all earlier compactions. */
  readonly files: FileLists;
  /** The user's own words that began the turn under way, where it was cut. */
  readonly request: readonly Block[];
}

export const NO_FILES: FileLists = Object.freeze({ read: [], changed: [] });

const PREAMBLE =
  "The conversation before this point was replaced by this summary. Go on from it; files may have changed since.";
const BRANCH_PREAMBLE =
  "Another branch of this conversation was left. This is a summary of what happened there; files that were changed there may still be changed.";
const REQUEST_LABEL = "The request that is being worked on, in the user's own words:";
/** The block that holds the summary itself, and the one behind which the user's words stand. A mark of their own also keeps blocks apart. */
const SUMMARY_PART = "summary";
const REQUEST_PART = "request";

/** The message that takes the place of what was summarised. */
export function createSummaryMessage({ text, files, request }: SummaryParts): UserMessage {
  const list = fileText(files);
  const content: Block[] = [
    part("preamble", PREAMBLE),
    part(SUMMARY_PART, text),
    ...(list === "" ? [] : [part("files", list)]),
    ...(request.length === 0 ? [] : [part(REQUEST_PART, REQUEST_LABEL), ...request]),
  ];
  return { type: MessageType.user, content, compaction: summaryDetails(files) };
}

/** The message that says what happened on a branch that was left. */
export function createBranchMessage({ text, files }: Omit<SummaryParts, "request">): UserMessage {
  const list = fileText(files);
  const content: Block[] = [
    part("preamble", BRANCH_PREAMBLE),
    part(SUMMARY_PART, text),
    ...(list === "" ? [] : [part("files", list)]),
  ];
  return { type: MessageType.user, content, branch: summaryDetails(files) };
}

/** What is kept beside the summary, in the message and in the session's entry. */
export function summaryDetails({ read, changed }: FileLists): JsonObject {
  return { version: 1, read, changed };
}

/** The parts of a message that `createSummaryMessage` made; undefined for any other. */
export function readSummaryMessage(item: ContextItem): SummaryParts | undefined {
  if (!isMessage(item) || item.type !== MessageType.user || !isObject(item.compaction)) return undefined;
  const { read, changed } = item.compaction;
  const block = item.content[placeOf(item, SUMMARY_PART)];
  if (block?.type !== "text") return undefined;
  const label = placeOf(item, REQUEST_PART);
  return {
    text: block.text,
    files: { read: textsOf(read), changed: textsOf(changed) },
    request: label < 0 ? [] : item.content.slice(label + 1),
  };
}

function placeOf({ content }: UserMessage, name: string): number {
  return content.findIndex((block) => "part" in block && block.part === name);
}

function part(name: string, text: string): TextBlock & { readonly part: string } {
  return { type: "text", text, part: name };
}

function fileText({ read, changed }: FileLists): string {
  return [listText("Files read", read), listText("Files changed", changed)]
    .filter((text) => text !== "")
    .join("\n");
}

function listText(label: string, files: readonly string[]): string {
  return files.length === 0 ? "" : `${label}: ${files.join(", ")}`;
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((text) => typeof text === "string") : [];
}
