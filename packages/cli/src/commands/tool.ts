import type { AgentEnv } from "@ashlar/agent";
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
      throw new CommandError("usage", `no tool "${input.name}"; there are: ${[...env.tools().keys()].join(", ")}`, { argument: "name" });
    }
    if (input.describe) {
      terminal.out.write(`${tool.name}: ${tool.description}\n${JSON.stringify(tool.schema, null, 2)}\n`);
      return 0;
    }
    return call(terminal, env, input.name, parseToolArguments(input.args));
  });
}

function list(terminal: Terminal, env: AgentEnv): number {
  for (const { name, description, safe, secret } of env.tools().values()) {
    const marks = [safe ? "reads only" : "may change things", ...(secret ? ["for people only"] : [])];
    terminal.out.write(`${name}  (${marks.join(", ")})  ${description.split("\n", 1)[0]}\n`);
  }
  return 0;
}

/** Through an agent's dispatch, so that a call by hand passes the same checks as a model's. */
async function call(terminal: Terminal, env: AgentEnv, name: string, args: unknown): Promise<number> {
  const { Agent, contentTextOfResult } = await import("@ashlar/agent");
  const agent = new Agent({ env, tools: ["*"] });
  const cancel = (): void => agent.cancel();
  terminal.cancelled.addEventListener("abort", cancel);
  try {
    const { result, display } = await agent.toolCall(name, args);
    if (display) terminal.err.write(`${contentTextOfResult(display)}\n`);
    terminal.out.write(`${contentTextOfResult(result.content)}\n`);
    if (result.error) throw new CommandError("failed", `${name} failed`, {});
    return 0;
  } finally {
    terminal.cancelled.removeEventListener("abort", cancel);
    await agent.close();
  }
}
