import { dirname } from "node:path";
import type { Files, ToolContext, ToolPayload } from "@ashlar/context/tool";
import { nodeExecution } from "../execution/node-execution.js";
import { checkContent } from "../guard/content-guard.js";
import { previewAround } from "../guard/content-reference.js";
import { inTurn } from "../guard/file-queue.js";
import { guardPath } from "../guard/path-guard.js";
import type { PermissionAsker } from "../guard/permission.js";
import { shownName } from "../guard/shown-name.js";
import { guardWrite, putFile, removeFile, type WritablePath } from "../guard/write-guard.js";
import { contentOf, HEAD_BYTES } from "../read/file-kind.js";
import { ToolError } from "../tool-error.js";
import { readFileBytes } from "../write/file-text.js";
import type { EditInput } from "./edit-input.js";
import { editPlaces } from "./edit-places.js";
import { type CheckedEdit, checkEdit } from "./edit-request.js";
import { splice } from "./edit-splice.js";
import { flatText } from "./flat-text.js";
import { changeToTakeBack, checkUntouched } from "./rollback.js";
import { unifiedDiff } from "./unified-diff.js";

const MAX_BYTES = 16 * 1024 * 1024;
const NOTHING = new Uint8Array();

interface EditScope {
  readonly files: Files;
  readonly context: ToolContext;
  readonly asker: PermissionAsker;
  readonly path: WritablePath;
  /** The file as it is; null where there is none. */
  readonly raw: Buffer | null;
}

interface Outcome {
  /** Null: no file. */
  readonly bytes: Uint8Array | null;
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
    if (isSame(raw, bytes)) return `${done} It is the same already, so nothing was written.`;
    await (bytes === null ? removeFile(files, path) : putFile(files, path, bytes));
    return {
      result: `${done} ${idText(context)}`,
      display: await unifiedDiff(path.shown, raw ?? NOTHING, bytes ?? NOTHING),
    };
  });
}

async function fileBytes(files: Files, path: WritablePath): Promise<Buffer | null> {
  const { stat, shown } = path;
  if (stat === undefined) return null;
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
  if (raw === null) {
    throw new ToolError("missing", `There is no ${shownName(path.shown)}; to make a file, use write.`, {
      path: path.shown,
    });
  }
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
  const change = await changeToTakeBack(files, { id, path }, context);
  const { before } = change;
  const state = before === null ? "is not there, as before" : "is what it was before";
  if (!isSame(raw, before)) await checkUntouched(change, path.shown, raw);
  return { bytes: before, done: `Took back ${shownName(id)}: ${shownName(path.shown)} ${state}.` };
}

function isSame(raw: Buffer | null, bytes: Uint8Array | null): boolean {
  return raw === null || bytes === null ? raw === bytes : raw.equals(bytes);
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
