import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ConformanceFailure } from "@ashlar/io/testing";
import { isObject } from "../loop/json-object.js";

/** Where tool modules lie: the first of these that holds one. */
const TOOL_FOLDERS = ["tools", "dist/tools"] as const;

/** The package.json of a package. */
export async function manifestOf(folder: string): Promise<Readonly<Record<string, unknown>>> {
  const file = join(folder, "package.json");
  try {
    const manifest: unknown = JSON.parse(await readFile(file, "utf8"));
    if (isObject(manifest)) return manifest;
    throw new Error("it is no object");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ConformanceFailure(`a package.json that can be read: ${file}`, reason);
  }
}

/** Absolute paths of the tool modules of a package, sorted. */
export async function toolModules(folder: string): Promise<readonly string[]> {
  for (const name of TOOL_FOLDERS) {
    const found = await modulesIn(join(folder, name));
    if (found.length > 0) return found;
  }
  throw new ConformanceFailure(`a .js or .mjs file in ${TOOL_FOLDERS.join(" or ")}`, "none");
}

async function modulesIn(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter((entry) => !entry.isDirectory() && /\.m?js$/.test(entry.name))
      .map((entry) => join(folder, entry.name))
      .sort();
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return [];
    throw cause;
  }
}
