import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Block, Execution, ToolContext, ToolResult } from "@ashlar/context/tool";
import { afterAll } from "vitest";
import type { ReadInput } from "../../src/read/read-input.js";
import { read } from "../../src/tools/read.js";

const made: string[] = [];
afterAll(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A project folder with these files, removed after the tests of the file. */
export function project(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tools-std-")));
  made.push(folder);
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  return folder;
}

export function namedPipe(path: string): void {
  execFileSync("sh", ["-c", 'mkfifo "$0"', path]);
}

export interface CallOptions {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly folder?: string;
  readonly signal?: AbortSignal;
  readonly execution?: Execution;
  readonly deadline?: number;
}

export function toolContext(cwd: string, options: CallOptions = {}): ToolContext {
  return {
    env: { cwd, settings: options.settings ?? {} },
    signal: options.signal ?? new AbortController().signal,
    deadline: options.deadline ?? Date.now() + 120_000,
    call: { callId: "c1", name: "read" },
    agent: { folder: options.folder ?? cwd },
    safe: true,
    question: null,
    onData: () => {},
    ...(options.execution === undefined ? {} : { execution: options.execution }),
  };
}

export function call(cwd: string, input: ReadInput, options?: CallOptions): Promise<ToolResult> {
  return read(input, toolContext(cwd, options));
}

/** The text of a result, blocks joined by `¶`. */
export async function text(cwd: string, input: ReadInput, options?: CallOptions): Promise<string> {
  const result = await call(cwd, input, options);
  return blocksOf(result)
    .map((block) => (block.type === "text" ? block.text : `<${block.type}>`))
    .join("¶");
}

export function blocksOf(result: ToolResult): readonly Block[] {
  if (typeof result === "string") return [{ type: "text", text: result }];
  // `read` gives a string or blocks.
  return result as readonly Block[];
}
