import { dirname } from "node:path";
import type { Files, ToolContext, ToolPayload } from "@ashlar/context/tool";
import { nodeExecution } from "../execution/node-execution.js";
import { checkContent } from "../guard/content-guard.js";
import { previewAround } from "../guard/content-reference.js";
import { inTurn } from "../guard/file-queue.js";
import { guardPath } from "../guard/path-guard.js";
import type { PermissionAsker } from "../guard/permission.js";
import { shownName } from "../guard/shown-name.js";
import { guardWrite, putFile, type WritablePath } from "../guard/write-guard.js";
import { contentOf, HEAD_BYTES } from "../read/file-kind.js";
import { ToolError } from "../tool-error.js";
import { readFileBytes } from "../write/file-text.js";
import type { EditInput } from "./edit-input.js";
import { editPlaces } from "./edit-places.js";
import { type CheckedEdit, checkEdit } from "./edit-request.js";
import { splice } from "./edit-splice.js";
import { flatText } from "./flat-text.js";
import { bytesBefore, checkUntouched } from "./rollback.js";
import { unifiedDiff } from "./unified-diff.js";

const MAX_BYTES = 16 * 1024 * 1024;

interface EditScope {
  readonly files: Files;
  readonly context: ToolContext;
  readonly asker: PermissionAsker;
  readonly path: WritablePath;
  /** The file as it is. */
  readonly raw: Buffer;
}

interface Outcome {
  readonly bytes: Uint8Array;
  /** The first sentence of the result. */
  readonly done: string;
}

/** Replaces exact texts in one file, or takes an earlier change back. Throws a `ToolError`; then nothing was changed. */
export async function edit(input: EditInput, context: ToolContext): Promise<ToolPayload | string> {
  const request = checkEdit(input);
  const { files } = context.execution ?? nodeExecution();
  const asker = { ask: request.ask, question: context.question };
  const { real } = await guardPath(files, request.path, {
    folder: context.agent.folder,
    project: context.env.cwd,
  });
  return inTurn(real, async () => {
    const path = await guardWrite(
      files,
      { tool: "edit", path: request.path, preview: previewAround(request.edits[0]?.newText ?? "", 1) },
      context,
      asker,
    );
    const raw = await fileBytes(files, path);
    const scope = { files, context, asker, path, raw };
    const { bytes, done } = await (request.rollback === undefined
      ? edited(request, scope)
      : restored(request.rollback, scope));
    if (raw.equals(bytes)) return `${done} It is the same already, so nothing was written.`;
    await putFile(files, path, bytes);
    return {
      result: `${done} ${idText(context)}`,
      display: await unifiedDiff(path.shown, raw, bytes),
    };
  });
}

async function fileBytes(files: Files, path: WritablePath): Promise<Buffer> {
  const { stat, shown } = path;
  if (stat === undefined) {
    throw new ToolError("missing", `There is no ${shownName(shown)}; to make a file, use write.`, {
      path: shown,
    });
  }
  if (stat.size > MAX_BYTES) {
    throw new ToolError(
      "refused",
      `${shownName(shown)} has ${stat.size} bytes; edit works up to ${MAX_BYTES}.`,
      {
        path: shown,
        reason: "size",
      },
    );
  }
  return Buffer.from(await readFileBytes(files, path, stat.size));
}

async function edited({ edits, matchAll }: CheckedEdit, scope: EditScope): Promise<Outcome> {
  const { files, context, asker, path, raw } = scope;
  const { kind } = contentOf(raw.subarray(0, HEAD_BYTES), path.real);
  if (kind !== "text") {
    const what = kind === "utf-16" ? "UTF-16 text" : "a binary file";
    throw new ToolError("refused", `${shownName(path.shown)} is ${what}; edit works on UTF-8 text.`, {
      path: path.shown,
      reason: kind,
    });
  }
  const text = flatText(raw);
  const { bytes, lines } = splice(raw, text, editPlaces(text, edits, matchAll));
  const before = raw.toString("utf8");
  const projects = [context.env.cwd, await files.realpath(context.env.cwd)];
  for (const [index, { newText }] of edits.entries()) {
    const argument = `edits[${index}].newText`;
    const subject = { argument, text: newText, before, folder: dirname(path.real), shown: path.shown };
    await checkContent(files, subject, { projects }, asker);
  }
  return { bytes, done: doneText(path.shown, lines) };
}

async function restored(id: string, { files, context, path, raw }: EditScope): Promise<Outcome> {
  const kept = await bytesBefore(files, { id, path }, context);
  const done = `Took back ${shownName(id)}: ${shownName(path.shown)} is what it was before.`;
  if (!raw.equals(kept.before)) await checkUntouched(kept, path.shown, raw);
  return { bytes: kept.before, done };
}

const NAMED_LINES = 10;

function doneText(shown: string, lines: readonly number[]): string {
  const [first] = lines;
  if (lines.length === 1) return `Edited ${shownName(shown)} in line ${first}.`;
  const named = lines.slice(0, NAMED_LINES).join(", ");
  const more = lines.length > NAMED_LINES ? ", …" : "";
  return `Edited ${shownName(shown)} at ${lines.length} places, in lines ${named}${more}.`;
}

function idText({ call, changes }: ToolContext): string {
  const undo = changes === undefined ? "" : `; {"rollback": ${JSON.stringify(call.callId)}} takes it back`;
  return `Edit id: ${call.callId}${undo}.`;
}
