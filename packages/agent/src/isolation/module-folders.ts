import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

/** Folders that hold everybody's files: showing one of them whole would show too much. */
const SHARED: ReadonlySet<string> = new Set(["/", "/tmp", "/var/tmp", "/run", "/home", "/root", "/Users"]);

/**
 * The folder that has to be visible for a module to load: the outermost one above it that has a node_modules, since
 * Node looks for what the module imports in each of them; else that of its package; else its own.
 */
export function moduleFolder(file: string): string {
  const above = foldersAbove(realpathSync(file));
  const outermost = above.findLast((folder) => existsSync(join(folder, "node_modules")));
  const ofPackage = above.find((folder) => existsSync(join(folder, "package.json")));
  return outermost ?? ofPackage ?? dirname(realpathSync(file));
}

function foldersAbove(file: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = dirname(file); !SHARED.has(folder); folder = dirname(folder)) folders.push(folder);
  return folders;
}
