import { lstatSync, readdirSync, type Stats } from "node:fs";

/**
 * What stands at paths that a sandbox pins or hides, as one text. A mount ends when the file below it is replaced, so a
 * sandbox that was started before is good for a call only while this text is the same.
 */
export function placeStamps(paths: readonly string[]): string {
  return paths.map((path) => `${path} ${stampOf(path)}`).join("\n");
}

function stampOf(path: string): string {
  const stat = statOf(path);
  if (stat === undefined || (stat.isDirectory() && isHeldPlace(path))) return "-";
  return `${stat.dev}.${stat.ino}`;
}

function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // Below a folder that may not be looked into, also not by a tool.
    return undefined;
  }
}

/** An empty folder with marks of a sandbox in it stands for a path that is missing. */
function isHeldPlace(folder: string): boolean {
  try {
    const names = readdirSync(folder);
    return names.length > 0 && names.every((name) => name.startsWith(".ashlar-"));
  } catch {
    // Gone since it was looked at, or not for this process to look into: then it counts as what it was.
    return false;
  }
}
