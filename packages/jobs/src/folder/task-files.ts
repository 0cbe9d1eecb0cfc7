import { constants } from "node:fs";
import { link, lstat, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { JobsError } from "../jobs-error.js";
import { archivePath, type Claim } from "../state/attempt.js";
import { hashOf } from "../state/task-key.js";
import { MAX_TASK_BYTES, parseTask } from "../task/parse-task.js";
import type { Task } from "../task/task.js";
import { replaceFile } from "./exclusive-file.js";
import { codeOf, storageError } from "./file-error.js";
import { namesIn } from "./folder-names.js";
import type { JobsFolder } from "./jobs-folder.js";

/** A task and the file it was read from. */
export interface TaskFile {
  readonly task: Task;
  /** The file's bytes as text; what is archived is compared with it. */
  readonly text: string;
  /** Names this appearance of the file: it changes when the file is written, moved or replaced. */
  readonly slot: string;
  /** Epoch milliseconds since when it is there. */
  readonly since: number;
  /** What was read differently from what is written. */
  readonly notes: readonly string[];
}

/** A file that is no task, and why. */
export interface RejectedFile {
  readonly filename: string;
  readonly problem: string;
}

export interface TaskFiles {
  readonly tasks: readonly TaskFile[];
  readonly rejected: readonly RejectedFile[];
}

/** Reads every task there is, in the order of their names. One bad file rejects itself, and others only by a doubled id. */
export async function readTaskFiles({ tasks: folder }: JobsFolder): Promise<TaskFiles> {
  const tasks: TaskFile[] = [];
  const rejected: RejectedFile[] = [];
  // Hidden names are an editor's or the system's, and no tasks.
  for (const filename of (await namesIn(folder)).toSorted()) {
    const read = await readTaskFile(folder, filename);
    if (read === undefined) continue;
    if ("problem" in read) rejected.push(read);
    else tasks.push(read);
  }
  return rejectDoubles(tasks, rejected);
}

/** Undefined: it went away. */
export async function readTaskFile(
  folder: string,
  filename: string,
): Promise<TaskFile | RejectedFile | undefined> {
  const content = await readContent(join(folder, filename));
  if (content === undefined) return undefined;
  if ("problem" in content) return { filename, problem: content.problem };
  const { text, slot, since } = content;
  const parsed = parseTask(filename, text);
  if (!parsed.ok) return { filename, problem: parsed.problem };
  return { task: parsed.task, notes: parsed.notes, text, slot, since };
}

/** The text of a file, whether or not it is a task; undefined: there is none. Rejects with kind `task` for what cannot be read. */
export async function readTaskText(folder: string, filename: string): Promise<string | undefined> {
  const content = await readContent(join(folder, filename));
  if (content === undefined) return undefined;
  if ("text" in content) return content.text;
  throw new JobsError("task", `${filename}: ${content.problem}`, { file: filename });
}

/**
 * Keeps the text of an attempt before it runs: the file of a single run moves there, of a recurring task a copy is made.
 * False: the file is not what was read, so the attempt must not run; then it is where it was.
 */
export async function archiveTask(folder: JobsFolder, file: TaskFile, claim: Claim): Promise<boolean> {
  const target = join(folder.path, archivePath(claim));
  if (!claim.attempt.once) {
    await replaceFile(target, file.text);
    return true;
  }
  const source = join(folder.tasks, claim.attempt.filename);
  const before = await readContent(source);
  if (before === undefined || "problem" in before || before.slot !== file.slot) return false;
  if (!(await moveFile(source, target))) return false;
  const moved = await readContent(target);
  if (moved !== undefined && "text" in moved && moved.text === file.text) return true;
  await moveBack(target, source);
  return false;
}

/** Archives the file of a lost attempt that had not moved it yet. True: it is in the archive. */
export async function archiveLost(folder: JobsFolder, claim: Claim): Promise<boolean> {
  const target = join(folder.path, archivePath(claim));
  if ((await readContent(target)) !== undefined) return true;
  if (!claim.attempt.once) return false;
  const source = join(folder.tasks, claim.attempt.filename);
  const content = await readContent(source);
  if (content === undefined || "problem" in content || content.slot !== claim.attempt.slot) return false;
  return moveFile(source, target);
}

type Content =
  | { readonly text: string; readonly slot: string; readonly since: number }
  | { readonly problem: string };

/** Undefined: there is nothing. */
async function readContent(path: string): Promise<Content | undefined> {
  try {
    const stats = await lstat(path, { bigint: true });
    if (stats.isSymbolicLink()) return { problem: "it is a link; put the file itself there" };
    if (!stats.isFile()) return { problem: "it is no plain file" };
    if (stats.size > MAX_TASK_BYTES) return { problem: `it has more than ${MAX_TASK_BYTES / 1024} KiB` };
    const bytes = await readBytes(path);
    if (typeof bytes === "string") return { problem: bytes };
    const text = decode(bytes);
    if (text === undefined) return { problem: "it is no UTF-8 text" };
    const since = Number(stats.ctimeMs);
    return { text, slot: `${since}-${hashOf(`${stats.ino} ${stats.ctimeNs}`, 12)}`, since };
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    const reason = error instanceof Error ? error.message.split(",")[0] : String(error);
    return { problem: `it cannot be read (${reason})` };
  }
}

/** A text says why not. Without following a link, and without waiting for a FIFO that took the file's place. */
async function readBytes(path: string): Promise<Uint8Array | string> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const buffer = new Uint8Array(MAX_TASK_BYTES + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
      length += bytesRead;
      if (bytesRead === 0 || length === buffer.length) break;
    }
    return length > MAX_TASK_BYTES
      ? `it has more than ${MAX_TASK_BYTES / 1024} KiB`
      : buffer.subarray(0, length);
  } finally {
    await handle.close();
  }
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // The decoder has no other way to say that bytes are no text.
    return undefined;
  }
}

/** False: it was gone. The target's name is the attempt's alone. */
async function moveFile(source: string, target: string): Promise<boolean> {
  try {
    await rename(source, target);
    return true;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw storageError(source, error);
  }
}

/** Where a new file has taken the place, the moved one stays in the archive. */
async function moveBack(target: string, source: string): Promise<void> {
  try {
    await link(target, source);
  } catch (error) {
    if (codeOf(error) === "EEXIST") return;
    throw storageError(source, error);
  }
  await rm(target, { force: true });
}

function rejectDoubles(tasks: readonly TaskFile[], rejected: RejectedFile[]): TaskFiles {
  const byId = new Map<string, TaskFile[]>();
  for (const file of tasks) {
    const id = file.task.id.toLowerCase();
    byId.set(id, [...(byId.get(id) ?? []), file]);
  }
  const single: TaskFile[] = [];
  for (const file of tasks) {
    const sharing = byId.get(file.task.id.toLowerCase()) ?? [];
    if (sharing.length === 1) single.push(file);
    else {
      const others = sharing.filter((other) => other !== file).map(({ task }) => task.filename);
      const problem = `its id ${JSON.stringify(file.task.id)} is also that of ${others.join(", ")}; give each its own`;
      rejected.push({ filename: file.task.filename, problem });
    }
  }
  return { tasks: single, rejected };
}
