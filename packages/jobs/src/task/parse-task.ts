import { nearestName } from "@ashlar/context";
import { parseDuration } from "@ashlar/env";
import { parseSchedule } from "../schedule/parse-schedule.js";
import type { Schedule } from "../schedule/schedule.js";
import { isRecord, shown } from "./plain-value.js";
import { readTaskText } from "./read-task-text.js";
import { isSecretKey } from "./secret-key.js";
import type { ParsedTask, Task } from "./task.js";
import { parseTaskBudget } from "./task-budget.js";
import { taskIdProblem, taskNameProblem } from "./task-name.js";

export const MAX_TASK_BYTES: number = 256 * 1024;

export const TASK_KEYS: readonly string[] = [
  "id",
  "enabled",
  "schedule",
  "tools",
  "timeout",
  "model",
  "budget",
  "network",
];
const MAX_TOOLS = 256;

/** Reads one task file. Never throws: what is wrong rejects this task alone, with a sentence that names the key. */
export function parseTask(filename: string, text: string): ParsedTask {
  try {
    return { ok: true, ...read(filename, text) };
  } catch (error) {
    if (error instanceof Problem) return { ok: false, problem: error.message };
    throw error;
  }
}

/** Why the file is no task. */
class Problem extends Error {}

function fail(sentence: string): never {
  throw new Problem(sentence);
}

function read(filename: string, text: string): { readonly task: Task; readonly notes: readonly string[] } {
  const nameProblem = taskNameProblem(filename);
  if (nameProblem !== undefined) fail(nameProblem);
  if (text.includes("\u0000")) fail("it has a NUL character, so it is no text");
  const { data, prompt, problem, notes } = readTaskText(text);
  if (problem !== undefined) fail(problem);
  if (prompt === "") fail("it says nothing to do; write the prompt below the frontmatter");
  for (const key of Object.keys(data)) checkKey(key);
  refuseSecrets(data, "");
  const { enabled = true, model } = data;
  if (typeof enabled !== "boolean") fail(`enabled: ${shown(enabled)} is not true or false`);
  if (model !== undefined && (typeof model !== "string" || model.trim() === "")) {
    fail(`model: ${shown(model)} is no model; write endpoint/model`);
  }
  const task: Task = {
    id: readId(data.id, filename),
    filename,
    prompt,
    enabled,
    schedule: readSchedule(data.schedule),
    ...(data.tools !== undefined && { tools: readTools(data.tools) }),
    ...(data.timeout !== undefined && { timeoutMs: readTimeout(data.timeout) }),
    ...(typeof model === "string" && { model: model.trim() }),
    ...(data.budget !== undefined && { budget: orFail(parseTaskBudget(data.budget)) }),
    ...(data.network !== undefined && { network: readNetwork(data.network) }),
  };
  return { task, notes };
}

function checkKey(key: string): void {
  if (TASK_KEYS.includes(key)) return;
  if (isSecretKey(key)) fail(secretProblem(key));
  const near = nearestName(key, TASK_KEYS);
  fail(
    `there is no key "${key}"; ${near === undefined ? `the keys are ${TASK_KEYS.join(", ")}` : `did you mean "${near}"?`}`,
  );
}

const secretProblem = (key: string): string =>
  `"${key}" looks like a credential, and a task file holds none; use "ashlar login <endpoint>" and take it out`;

/** The budget's limit of tokens is the one key that only sounds like it. */
function refuseSecrets(value: unknown, path: string): void {
  if (!isRecord(value)) return;
  for (const [key, member] of Object.entries(value)) {
    const name = path === "" ? key : `${path}.${key}`;
    if (name !== "budget.tokens" && isSecretKey(key)) fail(secretProblem(name));
    refuseSecrets(member, name);
  }
}

function readId(id: unknown, filename: string): string {
  if (id === undefined) return filename;
  const problem = taskIdProblem(id);
  if (problem !== undefined || typeof id !== "string") return fail(`id: ${shown(id)}; ${problem}`);
  return id;
}

function readSchedule(value: unknown): Schedule {
  return orFail(parseSchedule(value));
}

function orFail<Value extends object>(value: Value | string): Value {
  return typeof value === "string" ? fail(value) : value;
}

function readTools(value: unknown): readonly string[] {
  const isNames = (names: unknown): names is readonly string[] =>
    Array.isArray(names) &&
    names.length <= MAX_TOOLS &&
    names.every((name) => typeof name === "string" && name.trim() !== "");
  return isNames(value) ? value : fail(`tools: ${shown(value)} is no list of names; write [read, bash]`);
}

function readTimeout(value: unknown): number {
  const hint = "write a duration above 0, such as 90s, 30m or 2h";
  if (typeof value !== "string") return fail(`timeout: ${shown(value)} has no unit; ${hint}`);
  const weeks = /^\s*(\d{1,4})\s*w\s*$/u.exec(value)?.[1];
  try {
    return parseDuration(weeks === undefined ? value : `${Number(weeks) * 7}d`, "timeout");
  } catch {
    // The one reason it throws for is the one said here.
    return fail(`timeout: ${shown(value)} is no duration; ${hint}`);
  }
}

function readNetwork(value: unknown): "none" {
  return value === "none"
    ? value
    : fail(`network: ${shown(value)}; a task may only write none, which takes the network away`);
}
