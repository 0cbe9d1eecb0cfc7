import type { ToolContext, ToolSkillFile } from "@ashlar/context/tool";
import { checkFields, checkText } from "../argument-check.js";
import { nodeExecution } from "../execution/node-execution.js";
import { inTurn } from "../guard/file-queue.js";
import { guardPath } from "../guard/path-guard.js";
import { shownName } from "../guard/shown-name.js";
import { guardWrite, putFile, requireWriting } from "../guard/write-guard.js";
import { ToolError } from "../tool-error.js";
import type { ResourceInput } from "./resource-input.js";

const FIELDS = ["name", "path", "target", "ask"] as const;
/** Bytes of a file that is shown. */
const MAX_SHOWN = 131_072;
const MAX_LISTED = 500;

/**
 * The files beside a skill: their list, the text of one, or a copy of one in a new file. Throws a `ToolError`, or what
 * the host says of a skill or file that is not there; then nothing was written.
 */
export async function resource(input: ResourceInput, context: ToolContext): Promise<string> {
  checkFields("resource", input, FIELDS);
  const name = checkText("name", input.name);
  const { path, target } = input;
  if (target !== undefined) requireWriting("resource with a target", context);
  if (path === undefined) {
    if (target !== undefined) throw usage("path", "is needed with target: which file should be saved");
    return list(name, context);
  }
  const bytes = await read(name, checkText("path", path), context);
  return target === undefined
    ? shownText(path, bytes)
    : save(bytes, { ...input, target: checkText("target", target) }, context);
}

async function list(name: string, { env }: ToolContext): Promise<string> {
  if (env.skillResources === undefined) throw noSkills();
  const files = await env.skillResources(name);
  if (files.length === 0) return `[The skill ${shownName(name)} has no files beside it.]`;
  const lines = files.slice(0, MAX_LISTED).map(fileText);
  const more = files.length > MAX_LISTED ? [`[${files.length - MAX_LISTED} more files are not listed.]`] : [];
  return [...lines, ...more].join("\n");
}

function fileText({ path, size }: ToolSkillFile): string {
  return `${shownName(path)} (${size} ${size === 1 ? "byte" : "bytes"})`;
}

async function read(name: string, path: string, { env }: ToolContext): Promise<Uint8Array> {
  if (env.skillResource === undefined) throw noSkills();
  return env.skillResource(name, path);
}

function shownText(path: string, bytes: Uint8Array): string {
  const shown = shownName(path);
  if (bytes.byteLength > MAX_SHOWN) {
    throw usage(
      "path",
      `${shown} has ${bytes.byteLength} bytes; at most ${MAX_SHOWN} are shown. Save it with target and read a part`,
    );
  }
  if (bytes.includes(0)) throw usage("path", `${shown} is no text. Save it with target`);
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text === "" ? `[${shown} is empty.]` : text;
  } catch {
    // The decoder's own words say no more than this.
    throw usage("path", `${shown} is no UTF-8 text. Save it with target`);
  }
}

async function save(
  bytes: Uint8Array,
  { name, path = "", target = "", ask = false }: ResourceInput,
  context: ToolContext,
): Promise<string> {
  const { files } = context.execution ?? nodeExecution();
  const roots = { folder: context.agent.folder, project: context.env.cwd };
  const { real } = await guardPath(files, target, roots);
  return inTurn(real, async () => {
    const preview = `${path} of the skill ${name}, ${bytes.byteLength} bytes`;
    const asker = { ask, question: context.question };
    const place = await guardWrite(files, { tool: "resource", path: target, preview }, context, asker);
    if (place.stat !== undefined)
      throw usage(
        "target",
        `${shownName(place.shown)} exists already; a file is saved under a new name only`,
      );
    await putFile(files, place, bytes);
    return `Saved ${shownName(path)} of ${shownName(name)} as ${shownName(place.shown)}: ${bytes.byteLength} bytes.`;
  });
}

function usage(argument: string, problem: string): ToolError<"usage"> {
  return new ToolError("usage", `${argument}: ${problem}.`, { argument });
}

function noSkills(): ToolError<"refused"> {
  return new ToolError("refused", "There are no skills here: this host keeps none.", { reason: "no skills" });
}
