import type { Block, ToolContext } from "@ashlar/context/tool";
import { nodeExecution } from "../execution/node-execution.js";
import { inTurn } from "../guard/file-queue.js";
import { guardPath } from "../guard/path-guard.js";
import { guardWrite, putFile } from "../guard/write-guard.js";
import { ToolError } from "../tool-error.js";
import { savedText } from "../write/write.js";
import { notesText, withNotes } from "./read-notes.js";
import type { ReadView } from "./read-view.js";

/** Saves a complete result as `write` would. Throws kind `refused` for one that is not complete. */
export async function saveView(view: ReadView, target: string, context: ToolContext): Promise<string> {
  const bytes = bytesOf(view);
  const { files } = context.execution ?? nodeExecution();
  const { real } = await guardPath(files, target, { folder: context.agent.folder, project: context.env.cwd });
  return inTurn(real, async () => {
    const request = { tool: "read with target", path: target, preview: "" };
    const path = await guardWrite(files, request, context, { ask: true, question: context.question });
    await putFile(files, path, bytes);
    return withNotes(savedText(path, bytes), "blocks" in view ? [] : view.notes);
  });
}

function bytesOf(view: ReadView): Uint8Array {
  if ("blocks" in view) {
    const attached = view.blocks.find(({ type }) => type === "image" || type === "binary");
    if (attached === undefined || !("content" in attached))
      throw incomplete(view.blocks.map(textOf).join("\n"));
    return Buffer.from(String(attached.content), "base64");
  }
  if (view.partial) throw incomplete(notesText(view.notes));
  return Buffer.from(view.text, "utf8");
}

function textOf(block: Block): string {
  return "text" in block ? String(block.text) : "";
}

function incomplete(why: string): ToolError<"refused"> {
  return new ToolError("refused", `Nothing was saved, because the result is not complete.\n${why}`, {
    reason: "incomplete",
  });
}
