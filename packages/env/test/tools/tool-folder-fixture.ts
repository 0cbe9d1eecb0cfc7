import { join } from "node:path";
import type { ToolContext } from "@ashlar/context/tool";
import type { Env } from "@ashlar/env";
import { put, tempFolder } from "../temp-folder.js";

/** A folder of tool modules: file names with their source text. */
export async function toolFolder(modules: Readonly<Record<string, string>>): Promise<string> {
  const folder = await tempFolder();
  await put(join(folder, "package.json"), '{"type":"module"}');
  for (const [name, source] of Object.entries(modules)) await put(join(folder, name), source);
  return folder;
}

/** The source of a module with one tool, which answers with `answer`. */
export function toolSource(name: string, answer: string, extra = "safe: true"): string {
  return `export const toolDescription = () => ({ ${JSON.stringify(name)}: { description: "Answers.", inputSchema: { type: "object" }, ${extra} } });
export const ${name} = () => ${JSON.stringify(answer)};
`;
}

export interface ContextOptions {
  readonly safe?: boolean;
  readonly signal?: AbortSignal;
  readonly deadline?: number;
  readonly question?: ToolContext["question"];
  readonly onData?: ToolContext["onData"];
}

export function contextOf(env: Env, options: ContextOptions = {}): ToolContext {
  return {
    env,
    signal: options.signal ?? new AbortController().signal,
    deadline: options.deadline ?? Date.now() + 20_000,
    call: { callId: "c1", name: "t" },
    agent: { folder: env.cwd },
    safe: options.safe ?? false,
    question: options.question ?? null,
    onData: options.onData ?? (() => {}),
  };
}

export function messagesOf(env: Env): string {
  return env.diagnostics
    .filter(({ kind }) => kind === "tool")
    .map(({ message }) => message)
    .join("\n");
}

export async function kindOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return "no failure";
  } catch (cause) {
    const kind = cause instanceof Error && "kind" in cause ? String(cause.kind) : "no kind";
    return `${kind}: ${cause instanceof Error ? cause.message : String(cause)}`;
  }
}
