import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createExclusively, replaceFile } from "../folder/exclusive-file.js";
import { codeOf, storageError } from "../folder/file-error.js";
import type { JobsFolder } from "../folder/jobs-folder.js";
import { readTaskFile, readTaskFiles, readTaskText } from "../folder/task-files.js";
import { JobsError } from "../jobs-error.js";
import { scheduleText } from "../schedule/schedule.js";
import { parseTask } from "../task/parse-task.js";
import { taskNameProblem } from "../task/task-name.js";
import { changeTaskText } from "../task/task-text.js";

/** What a task file gets; what is left out of an update stays as it is. */
export interface TaskFields {
  readonly prompt?: string;
  readonly enabled?: boolean;
  /** As frontmatter has it: `once`, `every 30m`, `{ at: ["07:00"] }`, `{ cron: "0 7 * * *" }`. */
  readonly schedule?: unknown;
}

/** One change of the task files, or a look at them. It never runs a task. */
export type ScheduleCommand =
  | { readonly action: "list" }
  | { readonly action: "read"; readonly filename: string }
  | ({ readonly action: "create"; readonly filename: string; readonly prompt: string } & TaskFields)
  | ({ readonly action: "update"; readonly filename: string } & TaskFields)
  | { readonly action: "remove"; readonly filename: string };

/** A task file in short. */
export interface ListedTask {
  readonly filename: string;
  readonly enabled: boolean;
  /** In words. */
  readonly schedule: string;
  /** Why it is no task. */
  readonly problem?: string;
}

export interface ScheduleResult {
  /** The tasks, for `list`. */
  readonly tasks?: readonly ListedTask[];
  /** The file's whole text, for `read`, `create` and `update`. */
  readonly text?: string;
}

/** Rejects with kind `usage`, `missing`, `exists` or `task`; then nothing was changed. */
export async function performSchedule(folder: JobsFolder, command: ScheduleCommand): Promise<ScheduleResult> {
  if (command.action === "list") return { tasks: await listTasks(folder) };
  const { filename } = command;
  const problem = taskNameProblem(filename);
  if (problem !== undefined) {
    throw new JobsError("usage", `filename ${JSON.stringify(filename)}: ${problem}`, {
      argument: "filename",
    });
  }
  switch (command.action) {
    case "read":
      return { text: await textOf(folder, filename) };
    case "create":
      return createTask(folder, filename, command);
    case "update":
      return updateTask(folder, filename, command);
    case "remove":
      await textOf(folder, filename);
      return removeTask(join(folder.tasks, filename));
  }
}

async function listTasks(folder: JobsFolder): Promise<readonly ListedTask[]> {
  const { tasks, rejected } = await readTaskFiles(folder);
  const good = tasks.map(({ task }) => ({
    filename: task.filename,
    enabled: task.enabled,
    schedule: scheduleText(task.schedule),
  }));
  const bad = rejected.map(({ filename, problem }) => ({ filename, enabled: false, schedule: "", problem }));
  return [...good, ...bad].sort((a, b) => (a.filename < b.filename ? -1 : 1));
}

async function createTask(folder: JobsFolder, filename: string, fields: TaskFields): Promise<ScheduleResult> {
  const text = checked(filename, changeTaskText("", changeOf(fields)));
  if (await createExclusively(join(folder.tasks, filename), text)) return { text };
  throw new JobsError("exists", `there is a task ${filename} already; update it, or take another name`, {
    file: filename,
  });
}

async function updateTask(folder: JobsFolder, filename: string, fields: TaskFields): Promise<ScheduleResult> {
  const before = await textOf(folder, filename);
  const read = await readTaskFile(folder.tasks, filename);
  if (read !== undefined && "problem" in read && fields.prompt === undefined) {
    throw new JobsError("task", `${filename} is no task: ${read.problem}. Remove it and create it anew`, {
      file: filename,
    });
  }
  const text = checked(filename, changeTaskText(before, changeOf(fields)));
  await replaceFile(join(folder.tasks, filename), text);
  return { text };
}

async function removeTask(path: string): Promise<ScheduleResult> {
  try {
    await rm(path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw storageError(path, error);
  }
  return {};
}

function changeOf({ prompt, enabled, schedule }: TaskFields): Parameters<typeof changeTaskText>[1] {
  return {
    keys: {
      ...(enabled !== undefined && { enabled: enabled ? undefined : false }),
      ...(schedule !== undefined && { schedule: schedule === "once" ? undefined : schedule }),
    },
    ...(prompt !== undefined && { prompt }),
  };
}

/** What is written has to be a task, so that a change never makes one that does not run. */
function checked(filename: string, text: string): string {
  const parsed = parseTask(filename, text);
  if (parsed.ok) return text;
  throw new JobsError("task", `${filename}: ${parsed.problem}`, { file: filename });
}

async function textOf(folder: JobsFolder, filename: string): Promise<string> {
  const text = await readTaskText(folder.tasks, filename);
  if (text !== undefined) return text;
  throw new JobsError("missing", `there is no task ${filename}; list shows which there are`, {
    file: filename,
  });
}
