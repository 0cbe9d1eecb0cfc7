import { realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Env, EnvOptions } from "./env.js";
import { EnvError } from "./env-error.js";
import type { EnvState } from "./env-state.js";
import { FolderMap, shortestSuffix } from "./open-folders.js";
import { checkOptions, refuseOtherOptions } from "./open-options.js";

export interface OpenedEnv {
  readonly env: Env;
  readonly state: EnvState;
}

/** One folder's Env: how many opened it, and its end once that has begun. */
interface Entry {
  readonly options: EnvOptions;
  readonly opening: Promise<OpenedEnv>;
  count: number;
  closing: Promise<void> | undefined;
}

const entries = new Map<string, Entry>();
const opened = new Map<string, Env>();

/** The open Envs of this process, by folder. */
export const openEnvs: ReadonlyMap<string, Env> = new FolderMap(opened);

/** The Env of a folder: a new one from `create`, or the one that is open, counted. */
export async function openEnv(
  dir: string,
  options: EnvOptions,
  create: (cwd: string) => Promise<OpenedEnv>,
): Promise<Env> {
  checkOptions(options);
  const cwd = await realFolder(dir);
  for (;;) {
    const entry = entries.get(cwd);
    if (entry === undefined) break;
    if (entry.closing === undefined) {
      refuseOtherOptions(cwd, entry.options, options);
      entry.count += 1;
      return (await entry.opening).env;
    }
    await entry.closing.catch(() => undefined); // Whoever closed it has the error.
  }
  const opening = create(cwd);
  entries.set(cwd, { options: { ...options }, opening, count: 1, closing: undefined });
  try {
    const { env } = await opening;
    opened.set(cwd, env);
    return env;
  } catch (error) {
    entries.delete(cwd);
    throw error;
  }
}

/** Takes one opening back; the last one ends the Env. Rejects with kind `settings` when something could not be saved. */
export async function closeEnv(cwd: string, state: EnvState): Promise<void> {
  const entry = entries.get(cwd);
  if (entry === undefined || (await entry.opening).state !== state) return;
  if (entry.closing !== undefined) return entry.closing;
  entry.count -= 1;
  if (entry.count > 0) return;
  opened.delete(cwd);
  entry.closing = state.shutDown().finally(() => entries.delete(cwd));
  return entry.closing;
}

/** The shortest path suffix that no other open folder shares. */
export function nameOf(cwd: string): string {
  return shortestSuffix(
    cwd,
    [...opened.keys()].filter((folder) => folder !== cwd),
  );
}

async function realFolder(dir: string): Promise<string> {
  const argument = "dir";
  if (typeof dir !== "string" || dir === "") {
    throw new EnvError("usage", "Env.open: give the path of the project folder.", { argument });
  }
  let folder: string;
  try {
    folder = await realpath(resolve(dir));
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
    const reason = code === "ENOENT" ? "there is no such folder" : `it cannot be read (${code})`;
    throw new EnvError("usage", `Env.open: ${resolve(dir)}: ${reason}.`, { argument }, { cause });
  }
  if (!(await stat(folder)).isDirectory()) {
    throw new EnvError("usage", `Env.open: ${folder} is a file; give the folder it lies in.`, { argument });
  }
  return folder;
}
