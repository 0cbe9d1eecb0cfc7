import { lstat, rename } from "node:fs/promises";
import { join } from "node:path";
import { JobsError } from "../jobs-error.js";
import { codeOf, storageError } from "./file-error.js";
import { makeFolder } from "./make-folder.js";

export const ENABLED_NAME = "ai-jobs";
export const DISABLED_NAME = "ai-jobs-disabled";
const PARTS = ["tasks", "completed", "state", "runs", "errors"] as const;

/** Absolute paths of a project's jobs. */
export interface JobsFolder {
  readonly path: string;
  readonly tasks: string;
  readonly completed: string;
  readonly runs: string;
  readonly errors: string;
  readonly lastRun: string;
}

/** The folder of an enabled project, whole. Rejects with kind `disabled`, or with `layout` for what is no real folder. */
export async function openJobsFolder(root: string): Promise<JobsFolder> {
  const path = join(root, ENABLED_NAME);
  if ((await kindOf(path)) === "missing") throw await disabledError(root, path);
  await requireFolder(path);
  for (const part of PARTS) await makeRealFolder(join(path, part));
  await requireFileOrNothing(join(path, "last-run.json"));
  return {
    path,
    tasks: join(path, "tasks"),
    completed: join(path, "completed"),
    runs: join(path, "runs"),
    errors: join(path, "errors"),
    lastRun: join(path, "last-run.json"),
  };
}

/** Makes the folder, or gives a disabled one its name back; true: nothing had to be done but what is missing inside. */
export async function enableJobs(root: string): Promise<"created" | "restored" | "present"> {
  const [path, disabled] = [join(root, ENABLED_NAME), join(root, DISABLED_NAME)];
  const [here, there] = [await kindOf(path), await kindOf(disabled)];
  if (here !== "missing" && there !== "missing") throw bothError(path);
  if (here === "missing" && there !== "missing") {
    await requireFolder(disabled);
    await move(disabled, path);
  } else if (here === "missing") await makeRealFolder(path);
  await openJobsFolder(root);
  if (here !== "missing") return "present";
  return there === "missing" ? "created" : "restored";
}

/** Takes the folder's name away and keeps every byte; false: it was disabled before. */
export async function disableJobs(root: string): Promise<boolean> {
  const [path, disabled] = [join(root, ENABLED_NAME), join(root, DISABLED_NAME)];
  const [here, there] = [await kindOf(path), await kindOf(disabled)];
  if (here === "missing" && there !== "missing") return false;
  if (here === "missing") throw await disabledError(root, path);
  if (there !== "missing") throw bothError(path);
  await requireFolder(path);
  await move(path, disabled);
  return true;
}

async function disabledError(root: string, folder: string): Promise<JobsError<"disabled">> {
  const isDisabled = (await kindOf(join(root, DISABLED_NAME))) !== "missing";
  const what = isDisabled
    ? `jobs are disabled here (${DISABLED_NAME})`
    : `there is no ${ENABLED_NAME} folder here`;
  const remedy = isDisabled ? 'enable them with "ashlar jobs init"' : 'make it with "ashlar jobs init"';
  return new JobsError("disabled", `${what}; ${remedy}`, { folder });
}

function bothError(path: string): JobsError<"layout"> {
  return new JobsError(
    "layout",
    `there are both ${ENABLED_NAME} and ${DISABLED_NAME}; move one of them away, so that it is clear which one counts`,
    { path },
  );
}

async function makeRealFolder(path: string): Promise<void> {
  await makeFolder(path);
  await requireFolder(path);
}

async function requireFolder(path: string): Promise<void> {
  const kind = await kindOf(path);
  if (kind === "folder") return;
  const what = kind === "link" ? "a link" : kind === "missing" ? "not there" : "no folder";
  throw new JobsError("layout", `${path} is ${what}; jobs need a real folder there`, { path });
}

async function requireFileOrNothing(path: string): Promise<void> {
  const kind = await kindOf(path);
  if (kind === "file" || kind === "missing") return;
  throw new JobsError("layout", `${path} is no plain file; move it away`, { path });
}

async function kindOf(path: string): Promise<"missing" | "folder" | "file" | "link" | "other"> {
  try {
    const stats = await lstat(path);
    if (stats.isSymbolicLink()) return "link";
    if (stats.isDirectory()) return "folder";
    return stats.isFile() ? "file" : "other";
  } catch (error) {
    if (codeOf(error) === "ENOENT") return "missing";
    throw storageError(path, error);
  }
}

async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    throw storageError(from, error);
  }
}
