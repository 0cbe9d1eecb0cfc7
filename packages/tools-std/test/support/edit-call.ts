import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ToolPayload } from "@ashlar/context/tool";
import type { EditInput } from "../../src/edit/edit-input.js";
import * as tool from "../../src/tools/edit.js";
import { type CallOptions, writingContext } from "./project.js";

export function edit(folder: string, input: EditInput, options?: CallOptions): Promise<ToolPayload | string> {
  return tool.edit(input, writingContext(folder, options));
}

/** An edit of one text. */
export function one(path: string, oldText: string, newText: string): EditInput {
  return { path, edits: [{ oldText, newText }] };
}

/** The text that the model gets. */
export async function resultOf(call: Promise<ToolPayload | string>): Promise<string> {
  const payload = await call;
  return typeof payload === "string" ? payload : String(payload.result);
}

export function content(folder: string, name: string): string {
  return readFileSync(join(folder, name), "utf8");
}
