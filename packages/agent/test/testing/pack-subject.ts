import { fileURLToPath } from "node:url";
import type { ToolPackSubject } from "../../src/testing/index.js";

/** A package that does everything right. */
export const goodPack: ToolPackSubject = {
  folder: packFolder("good"),
  files: { "plan.txt": "Stone by stone.\n" },
  calls: [
    { tool: "note-read", args: { name: "plan" } },
    { tool: "note-read", args: { name: "none" }, throws: "there is no such note" },
    { tool: "note-write", args: { name: "new", text: "Lime." }, changes: ["new.txt"] },
    { tool: "note-write", args: { name: "new", text: "Lime.", dryRun: true } },
    { tool: "wait", args: { seconds: 1 } },
  ],
};

/** A package below `broken`, with one call that changes these files. */
export function brokenPack(name: string, changes: readonly string[] = []): ToolPackSubject {
  return {
    folder: packFolder(`broken/${name}`),
    calls: [{ tool: "count", args: { text: "stone" }, changes }],
  };
}

function packFolder(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
