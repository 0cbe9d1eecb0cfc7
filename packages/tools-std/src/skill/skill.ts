import type { ToolContext, ToolEnv, ToolSkillFile } from "@ashlar/context/tool";
import { checkFields, checkText } from "../argument-check.js";
import { inTurn } from "../guard/file-queue.js";
import { ToolError } from "../tool-error.js";
import { type ActiveSkill, decodeActive, digestOf, encodeActive, withActive } from "./active-skills.js";
import { MAX_NAMES, type SkillInput } from "./skill-input.js";
import { listedSkills } from "./skill-list.js";

const RECORD = "tool:skill";
/** A name that no path has: calls wait for one another, as changes of a file do. */
const TURN = "\0skill";
/** Characters of all skills of one call. */
const MAX_TEXT = 200_000;
const MAX_FILES = 50;

interface LoadedSkill {
  readonly name: string;
  /** As the model reads it. */
  readonly text: string;
  readonly digest: string;
}

/**
 * Brings skills into the conversation, all or none; what is there already is not given again. Without names, lists them.
 * Throws a `ToolError`, or what the host says of a skill that cannot be used; then nothing was given.
 */
export async function skill(input: SkillInput, context: ToolContext): Promise<string> {
  checkFields("skill", input, ["names"]);
  const { env } = context;
  const names = checkNames(input.names);
  if (env.skills === undefined || env.skill === undefined) throw noSkills();
  if (names.length === 0) return listedSkills((await env.skills()).skills);
  const loaded = await Promise.all(names.map((name) => load(env, name)));
  checkSize(loaded);
  return inTurn(TURN, () => give(loaded, context));
}

async function load(env: ToolEnv, name: string): Promise<LoadedSkill> {
  const found = await env.skill?.(name);
  if (found === undefined) throw noSkills();
  if (!found.forModel) {
    throw new ToolError(
      "refused",
      `The skill ${found.name} is for people to use; its header keeps it from models.`,
      {
        reason: "disable-model-invocation",
      },
    );
  }
  const files = (await env.skillResources?.(name)) ?? [];
  const text = `<skill name="${found.name}">\n${found.body}\n</skill>${filesText(found.name, files)}`;
  return { name: found.name, text, digest: digestOf(found.body) };
}

/** The texts of those that the conversation does not have, in the order that was asked for. */
async function give(loaded: readonly LoadedSkill[], { records, call }: ToolContext): Promise<string> {
  const kept = decodeActive(await records?.latest(RECORD));
  const parts: string[] = [];
  const added: ActiveSkill[] = [];
  for (const { name, text, digest } of loaded) {
    const earlier = kept.find((one) => one.name === name);
    const isHeld = earlier !== undefined && (await records?.holds(earlier.callId)) === true;
    if (isHeld && earlier.digest === digest) {
      parts.push(`[The skill ${name} is in this conversation already.]`);
      continue;
    }
    if (isHeld) parts.push(`[The skill ${name} has changed since it was loaded; this is the new text.]`);
    parts.push(text);
    added.push({ name, digest, callId: call.callId });
  }
  if (added.length > 0) await records?.append(RECORD, encodeActive(withActive(kept, added)));
  return parts.join("\n\n");
}

function filesText(name: string, files: readonly ToolSkillFile[]): string {
  if (files.length === 0) return "";
  const shown = files.slice(0, MAX_FILES).map(({ path }) => path);
  const more = files.length > MAX_FILES ? ` and ${files.length - MAX_FILES} more` : "";
  return `\n[Files of ${name}, for the tool resource: ${shown.join(", ")}${more}]`;
}

function checkNames(names: unknown): readonly string[] {
  if (names === undefined) return [];
  if (!Array.isArray(names)) throw usage("wanted a list of names");
  if (names.length > MAX_NAMES) throw usage(`${names.length} names; at most ${MAX_NAMES} at once`);
  return [...new Set(names.map((name, index) => checkText(`names[${index}]`, name)))];
}

function checkSize(loaded: readonly LoadedSkill[]): void {
  const size = loaded.reduce((sum, { text }) => sum + text.length, 0);
  if (size <= MAX_TEXT) return;
  const sizes = loaded.map(({ name, text }) => `${name} has ${text.length}`).join(", ");
  throw usage(`${size} characters (${sizes}); at most ${MAX_TEXT} are given at once, so ask for fewer`);
}

function usage(problem: string): ToolError<"usage"> {
  return new ToolError("usage", `names: ${problem}.`, { argument: "names" });
}

function noSkills(): ToolError<"refused"> {
  return new ToolError("refused", "There are no skills here: this host keeps none.", { reason: "no skills" });
}
