import { accessSync, constants, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";

/** Package managers put a project's own programs there: a project must not choose what confines it. */
const PROJECT_PROGRAMS = /(^|\/)node_modules(\/|$)/;

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // Not there, or not to be run.
    return false;
  }
};

/** The first program of that name in the absolute folders of a `PATH`. */
export const findProgram = (name: string, path: string): string | undefined =>
  path
    .split(":")
    .filter((folder) => isAbsolute(folder) && !PROJECT_PROGRAMS.test(folder))
    .map((folder) => join(folder, name))
    .find(isProgram);
