import { createHash } from "node:crypto";
import type { FileChange, Files, ToolContext } from "@ashlar/context/tool";
import { shownName } from "../guard/shown-name.js";
import type { WritablePath } from "../guard/write-guard.js";
import { cutStart } from "../text-cut.js";
import { ToolError } from "../tool-error.js";
import { unifiedDiff } from "./unified-diff.js";

const SHOWN_DIFFERENCE = 4000;

/** An earlier change of this file. Throws kind `missing`, `usage` for another file, `refused` where none is kept. */
export async function changeToTakeBack(
  files: Files,
  { id, path }: { readonly id: string; readonly path: WritablePath },
  { changes }: ToolContext,
): Promise<FileChange> {
  if (changes === undefined) {
    throw new ToolError("refused", "No earlier content is kept here, so nothing can be taken back.", {
      path: path.shown,
      reason: "no changes kept",
    });
  }
  const change = await changes.find(id);
  if (change === undefined) {
    throw new ToolError("missing", `There is no change ${shownName(id)}, or it is no longer kept.`, {
      path: path.shown,
    });
  }
  if (change.path !== path.real && (await realOf(files, change.path)) !== path.real) {
    throw new ToolError(
      "usage",
      `Change ${shownName(id)} was made in ${shownName(change.path)}, not in ${shownName(path.shown)}. Nothing was changed.`,
      { argument: "path" },
    );
  }
  return change;
}

/** Throws kind `changed`, with what differs, unless the file is still what the change left. */
export async function checkUntouched(
  change: FileChange,
  shown: string,
  now: Uint8Array | null,
): Promise<void> {
  if ((now === null ? null : hashOf(now)) === change.after) return;
  throw new ToolError("changed", `${shownName(shown)} ${await differenceText(change, shown, now)}`, {
    path: shown,
  });
}

async function differenceText(
  { id, before }: FileChange,
  shown: string,
  now: Uint8Array | null,
): Promise<string> {
  if (now === null) return `was removed after ${shownName(id)}, so nothing was put there.`;
  const left = `was changed after ${shownName(id)}, so it was left as it is.`;
  if (before === null) return `${left} Before, there was no such file.`;
  const difference = cutStart(await unifiedDiff(shown, now, before), SHOWN_DIFFERENCE);
  return `${left} To get back what was there before, this would have to change; use edits for the part you want:\n${difference}`;
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

async function realOf(files: Files, path: string): Promise<string | undefined> {
  // A path that leads nowhere is not the file that is there.
  return files.realpath(path).catch(() => undefined);
}
