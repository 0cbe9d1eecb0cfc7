import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { hashOf } from "../state/task-key.js";
import { createExclusively } from "./exclusive-file.js";
import { storageError } from "./file-error.js";
import { namesIn, removeAll } from "./folder-names.js";
import type { JobsFolder } from "./jobs-folder.js";
import { makeFolder } from "./make-folder.js";

/** Something a person should look at. */
export interface Problem {
  /** The task's file; absent: it concerns all of them. */
  readonly filename?: string;
  readonly message: string;
}

export interface ProblemLogOptions {
  readonly folder: JobsFolder;
  /** Paths below it are written relative to it. */
  readonly root: string;
  /** `YYYY-MM-DD` of the local day. */
  readonly dayOf: (instant: number) => string;
}

export interface ProblemLog {
  /** Adds an entry to the file of the day, unless the same one is there: once a day, however many schedulers look. */
  readonly add: (problem: Problem, now: number) => Promise<void>;
}

/** Files of days before that are dropped: markers only, what was written stays. */
const KEPT_MARKER_DAYS = 2;

export function createProblemLog({ folder, root, dayOf }: ProblemLogOptions): ProblemLog {
  const markers = join(folder.path, "state", ".problems");
  return {
    add: async (problem, now) => {
      const day = dayOf(now);
      const entry = entryOf(problem, root);
      await makeFolder(markers);
      if (!(await createExclusively(join(markers, `${day}-${hashOf(entry, 24)}`), ""))) return;
      const file = join(folder.errors, `${day}.md`);
      try {
        await appendFile(file, `- ${new Date(now).toISOString()} ${entry}\n`);
      } catch (error) {
        throw storageError(file, error);
      }
      await forget(markers, day);
    },
  };
}

function entryOf({ filename, message }: Problem, root: string): string {
  const text = `${filename === undefined ? "" : `tasks/${filename}: `}${message}`;
  return shorten(text, root).replaceAll(/\s+/gu, " ");
}

/** Paths of the project become relative to it; of others only the last two parts are told. */
export function shorten(text: string, root: string): string {
  return text
    .replaceAll(`${root}/`, "")
    .replaceAll(/(?<![\w./:-])\/(?:[\w.@+-]+\/)+([\w.@+-]+\/[\w.@+-]+)/gu, "…/$1");
}

async function forget(markers: string, day: string): Promise<void> {
  const dayOf = (name: string): string => name.slice(0, day.length);
  const names = await namesIn(markers);
  const kept = [...new Set(names.map(dayOf))].sort().slice(-KEPT_MARKER_DAYS);
  await removeAll(
    markers,
    names.filter((name) => !kept.includes(dayOf(name))),
  );
}
