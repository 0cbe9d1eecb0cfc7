import { createHash } from "node:crypto";
import type { FileChange, Files, ToolContext } from "@ashlar/context/tool";
import { shownName } from "../guard/shown-name.js";
import type { WritablePath } from "../guard/write-guard.js";
import { cutStart } from "../text-cut.js";
import { ToolError } from "../tool-error.js";
import { unifiedDiff } from "./unified-diff.js";

const SHOWN_DIFFERENCE = 4000;

/** The bytes that an earlier change replaced. Throws kind `missing`, `usage` for another file, `refused`. */
export async function bytesBefore(
  files: Files,
  { id, path }: { readonly id: string; readonly path: WritablePath },
  { changes }: ToolContext,
): Promise<{ readonly change: FileChange; readonly before: Uint8Array }> {
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
  if (change.before === null) {
    throw new ToolError(
      "refused",
      `Change ${shownName(id)} made the file ${shownName(path.shown)}; edit removes no files. Nothing was changed.`,
      { path: path.shown, reason: "created" },
    );
  }
  return { change, before: change.before };
}

/** Throws kind `changed`, with what differs, unless the file is still what the change left. */
export async function checkUntouched(
  { change, before }: { readonly change: FileChange; readonly before: Uint8Array },
  shown: string,
  now: Uint8Array,
): Promise<void> {
  if (hashOf(now) === change.after) return;
  const difference = cutStart(await unifiedDiff(shown, now, before), SHOWN_DIFFERENCE);
  throw new ToolError(
    "changed",
    `${shownName(shown)} was changed after ${shownName(change.id)}, so it was left as it is. To get back what was there before, this would have to change; use edits for the part you want:\n${difference}`,
    { path: shown },
  );
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

async function realOf(files: Files, path: string): Promise<string | undefined> {
  // A path that leads nowhere is not the file that is there.
  return files.realpath(path).catch(() => undefined);
}
