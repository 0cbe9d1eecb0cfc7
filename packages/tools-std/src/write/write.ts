import { dirname } from "node:path";
import type { ToolContext } from "@ashlar/context/tool";
import { checkFields, checkText } from "../argument-check.js";
import { nodeExecution } from "../execution/node-execution.js";
import { checkContent } from "../guard/content-guard.js";
import { previewAround } from "../guard/content-reference.js";
import { inTurn } from "../guard/file-queue.js";
import { guardPath } from "../guard/path-guard.js";
import { shownName } from "../guard/shown-name.js";
import { guardWrite, putFile, type WritablePath } from "../guard/write-guard.js";
import { readFileText } from "./file-text.js";
import type { WriteInput } from "./write-input.js";

const FIELDS = ["path", "content", "ask"] as const;

/** Creates or overwrites one text file. Throws a `ToolError`; then nothing was changed. */
export async function write(input: WriteInput, context: ToolContext): Promise<string> {
  checkFields("write", input, FIELDS);
  checkText("path", input.path);
  checkText("content", input.content);
  const { path, content, ask = false } = input;
  const { files } = context.execution ?? nodeExecution();
  const asker = { ask, question: context.question };
  const { real } = await guardPath(files, path, { folder: context.agent.folder, project: context.env.cwd });
  return inTurn(real, async () => {
    const preview = previewAround(content, 1);
    const target = await guardWrite(files, { tool: "write", path, preview }, context, asker);
    await checkContent(
      files,
      {
        argument: "content",
        text: content,
        before: target.stat === undefined ? "" : await readFileText(files, target),
        folder: dirname(target.real),
        shown: target.shown,
      },
      { projects: [context.env.cwd, await files.realpath(context.env.cwd)] },
      asker,
    );
    const bytes = Buffer.from(content, "utf8");
    await putFile(files, target, bytes);
    return savedText(target, bytes);
  });
}

/** `Created a.txt: 12 bytes, 2 lines.` */
export function savedText({ shown, stat }: WritablePath, bytes: Uint8Array): string {
  const done = stat === undefined ? "Created" : "Overwrote";
  const before = stat === undefined ? "" : ` It had ${count(stat.size, "byte")}.`;
  return `${done} ${shownName(shown)}: ${count(bytes.byteLength, "byte")}, ${count(lineCount(bytes), "line")}.${before}`;
}

function lineCount(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) lines += 1;
  return bytes.byteLength === 0 || bytes.at(-1) === 0x0a ? lines : lines + 1;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
