import { realpath } from "node:fs/promises";
import type { ToolDescriptions } from "@ashlar/context/tool";
import { isMissing } from "./content-file.js";
import type { ContentRoot } from "./skill.js";

/** Real paths of the folders whose modules run in the host's process, each once. What is not there has no code. */
export async function codeFolders(
  tools: readonly (string | ToolDescriptions)[],
  roots: readonly ContentRoot[],
): Promise<readonly string[]> {
  const folders = [
    ...tools.filter((tool) => typeof tool === "string"),
    ...roots.filter(({ trusted }) => trusted).flatMap(({ hooks }) => hooks),
  ];
  const real = await Promise.all([...new Set(folders)].map(existing));
  return [...new Set(real.filter((folder) => folder !== undefined))];
}

/** A folder that cannot be looked at counts under its own name: its code may run all the same. */
async function existing(folder: string): Promise<string | undefined> {
  return realpath(folder).catch((error: unknown) => (isMissing(error) ? undefined : folder));
}
