import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type {
  BackgroundCommands,
  Block,
  Execution,
  FileChanges,
  Question,
  QuestionBridge,
  ToolContent,
  ToolContext,
  ToolRecords,
  ToolResult,
} from "@ashlar/context/tool";
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
  readonly question?: QuestionBridge;
  readonly background?: BackgroundCommands;
  readonly changes?: FileChanges;
  readonly records?: ToolRecords;
  readonly callId?: string;
  /** Skills and tools of the host. */
  readonly content?: Partial<ToolContent>;
  readonly onData?: (chunk: string) => void;
}

export function toolContext(cwd: string, options: CallOptions = {}): ToolContext {
  const { execution, background, changes, records } = options;
  return {
    env: { cwd, settings: options.settings ?? {}, ...options.content },
    signal: options.signal ?? new AbortController().signal,
    deadline: options.deadline ?? Date.now() + 120_000,
    call: { callId: options.callId ?? "c1", name: "tool" },
    agent: { folder: options.folder ?? cwd },
    safe: true,
    question: options.question ?? null,
    onData: options.onData ?? (() => {}),
    ...(execution === undefined ? {} : { execution }),
    ...(background === undefined ? {} : { background }),
    ...(changes === undefined ? {} : { changes }),
    ...(records === undefined ? {} : { records }),
  };
}

/** The same for a call that may change something. */
export function writingContext(cwd: string, options: CallOptions = {}): ToolContext {
  return { ...toolContext(cwd, options), safe: false };
}

/** A person who chooses this label, or says nothing, and what they were asked. */
export function person(label?: string): { readonly bridge: QuestionBridge; readonly asked: Question[] } {
  const asked: Question[] = [];
  return {
    asked,
    bridge: {
      ask: async (questions) => {
        asked.push(...questions);
        return questions.map(() => (label === undefined ? { abandoned: true } : { labels: [label] }));
      },
    },
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
