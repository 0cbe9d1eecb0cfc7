import type { AgentEnv } from "@ashlar/agent";
import { readToolError, readToolValue, type ToolAnswer } from "@ashlar/agent/loop";
import type { Block } from "@ashlar/context";
import type { ToolContext } from "@ashlar/context/tool";
import { CommandError } from "../command-error.js";
import { withEnv } from "../open-env.js";
import type { Terminal } from "../terminal.js";
import { parseToolArguments } from "./tool-arguments.js";

const TIMEOUT_MS = 120_000;

export interface ToolCommandInput {
  readonly name: string | undefined;
  readonly args: readonly string[];
  readonly describe: boolean;
}

/** Lists the tools, describes one, or calls one: its result on stdout, what it shows beside it on stderr. */
export async function toolCommand(terminal: Terminal, input: ToolCommandInput): Promise<number> {
  return withEnv(terminal, {}, async (env) => {
    if (input.name === undefined) return list(terminal, env);
    const tool = env.tools().get(input.name);
    if (!tool) {
      const names = [...env.tools().keys()].join(", ");
      throw new CommandError("usage", `no tool "${input.name}"; there are: ${names}`, {
        argument: input.name,
      });
    }
    if (input.describe) {
      terminal.out.write(`${tool.name}: ${tool.description}\n${JSON.stringify(tool.schema, null, 2)}\n`);
      return 0;
    }
    return call(terminal, env, { name: input.name, args: parseToolArguments(input.args) });
  });
}

function list(terminal: Terminal, env: AgentEnv): number {
  for (const { name, description, safe, secret } of env.tools().values()) {
    const marks = [safe ? "reads only" : "may change things", ...(secret ? ["for people only"] : [])];
    terminal.out.write(`${name}  (${marks.join(", ")})  ${description.split("\n", 1)[0]}\n`);
  }
  return 0;
}

interface Call {
  readonly name: string;
  readonly args: unknown;
}

async function call(terminal: Terminal, env: AgentEnv, { name, args }: Call): Promise<number> {
  const validation = env.toolValidate(name, args);
  if (!validation.ok)
    throw new CommandError("usage", `${name}: ${validation.problems.join("; ")}`, { argument: name });
  for (const note of validation.notes) terminal.err.write(`ashlar: ${note}\n`);
  const answer = await answerOf(env, { name, args: validation.args }, terminal);
  if (answer.display) terminal.err.write(`${textOf(answer.display)}\n`);
  terminal.out.write(`${textOf(answer.content)}\n`);
  if (answer.error) throw new CommandError("failed", `${name} failed`, {});
  return 0;
}

/** Over the safe view: what could change something is refused there. */
async function answerOf(env: AgentEnv, { name, args }: Call, terminal: Terminal): Promise<ToolAnswer> {
  // Not AbortSignal.timeout: Node 20 may collect one that only AbortSignal.any knows of, and then it never fires.
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), TIMEOUT_MS);
  const context: ToolContext = {
    env,
    signal: AbortSignal.any([terminal.cancelled, limit.signal]),
    deadline: Date.now() + TIMEOUT_MS,
    call: { callId: "command-line", name },
    agent: { folder: env.cwd },
    safe: true,
    question: null,
    onData: (chunk) => terminal.err.write(chunk),
  };
  try {
    return readToolValue(await env.safe.toolCall(name, args, context));
  } catch (error) {
    if (terminal.cancelled.aborted) throw new CommandError("cancelled", `${name} was cancelled`, {});
    if (error instanceof Error && "kind" in error && error.kind === "refused") throw error;
    return readToolError(error);
  } finally {
    clearTimeout(timer);
  }
}

function textOf(content: readonly Block[]): string {
  return content.map(blockText).join("\n");
}

function blockText(block: Block): string {
  if (block.type === "text") return block.text;
  if (block.type === "image" || block.type === "binary")
    return `[${block.type}, ${block.mimetype ?? "type unknown"}, base64 of ${block.content.length} characters]`;
  return JSON.stringify(block);
}
