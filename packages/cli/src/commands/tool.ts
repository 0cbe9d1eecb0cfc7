import { Agent, type AgentEnv } from "@ashlar/agent";
import type { Block } from "@ashlar/context";
import { CommandError } from "../command-error.js";
import { withEnv } from "../open-env.js";
import type { Terminal } from "../terminal.js";
import { parseToolArguments } from "./tool-arguments.js";

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
    const marks = [safe ? "without the sandbox" : "in the sandbox", ...(secret ? ["for people only"] : [])];
    terminal.out.write(`${name}  (${marks.join(", ")})  ${description.split("\n", 1)[0]}\n`);
  }
  return 0;
}

interface Call {
  readonly name: string;
  readonly args: unknown;
}

/** Through an agent's dispatch, so that a call by hand passes the same checks and the same sandbox as a model's. */
async function call(terminal: Terminal, env: AgentEnv, { name, args }: Call): Promise<number> {
  const agent = new Agent({ env, stream: noModel });
  agent.subscribe((event) => {
    if (event.type === "tool_data") terminal.err.write(event.data);
    if (event.type === "notice") terminal.err.write(`ashlar: ${event.message}\n`);
  });
  const cancel = (): void => agent.cancel();
  terminal.cancelled.addEventListener("abort", cancel);
  try {
    const { content, error, refused, display } = await agent.toolCall(name, args);
    if (terminal.cancelled.aborted) throw new CommandError("cancelled", `${name} was cancelled`, {});
    if (display) terminal.err.write(`${textOf(display)}\n`);
    if (refused !== undefined) throw new CommandError("refused", textOf(content), { reason: refused });
    terminal.out.write(`${textOf(content)}\n`);
    if (error) throw new CommandError("failed", `${name} failed`, {});
    return 0;
  } finally {
    terminal.cancelled.removeEventListener("abort", cancel);
    await agent.close();
  }
}

/** A call by hand needs no model, and must not look for one. */
async function noModel(): Promise<never> {
  throw new CommandError("usage", "a tool call by hand talks to no model", {});
}

function textOf(content: readonly Block[]): string {
  return content.map(blockText).join("\n");
}

function blockText(block: Block): string {
  if (block.type === "text") return block.text;
  if (block.type === "image" || block.type === "binary") {
    return `[${block.type}, ${block.mimetype ?? "type unknown"}, base64 of ${block.content.length} characters]`;
  }
  return JSON.stringify(block);
}
