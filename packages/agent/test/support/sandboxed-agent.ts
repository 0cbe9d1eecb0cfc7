import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  type Agent,
  type AgentCreateOptions,
  AgentEnv,
  type AgentStreamEvent,
  type ToolResultEvent,
} from "@ashlar/agent";
import { probe } from "@ashlar/sandbox";
import { onTestFinished } from "vitest";
import { expectValid } from "./event-validity.js";
import { text as said, scripted } from "./scripted-stream.js";

/** Why nothing can be run in a sandbox on this machine; undefined when it can. */
export async function noSandboxHere(): Promise<string | undefined> {
  const { confines, reason = "" } = await probe();
  if (confines.files && confines.network && confines.processes) return undefined;
  console.log(`not run: ${reason}`);
  return reason;
}

export interface SandboxedOptions extends AgentCreateOptions {
  /** Source texts of tool modules of the host, by file name. */
  readonly modules?: Readonly<Record<string, string>>;
  /** Folders of tool modules that are there already. */
  readonly roots?: readonly string[];
  /** Files of the project, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Over the test's own. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly settings?: Readonly<Record<string, unknown>>;
}

export interface SandboxedAgent {
  readonly agent: Agent;
  readonly env: AgentEnv;
  /** The project. */
  readonly folder: string;
  /** Below it the user's folders. */
  readonly home: string;
  readonly events: AgentStreamEvent[];
  readonly call: (name: string, args?: unknown) => Promise<ToolResultEvent>;
}

/** An agent over a project with files, as a person would open it. Everything is closed with the test. */
export async function openSandboxed(options: SandboxedOptions = {}): Promise<SandboxedAgent> {
  const { modules = {}, roots = [], files = {}, environment, settings, ...rest } = options;
  const base = await realpath(await mkdtemp(join(tmpdir(), "ashlar sandboxed ")));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const [folder, home, tools] = [join(base, "project"), join(base, "home"), join(base, "tools")];
  await Promise.all([folder, home, tools].map((path) => mkdir(path)));
  await put(tools, { "package.json": '{"type":"module"}', ...modules });
  await put(folder, files);
  const env = await AgentEnv.open(folder, {
    collect: false,
    tools: [...roots, tools],
    environment: { PATH: process.env.PATH, HOME: home, ASHLAR_HOME: join(home, ".ashlar"), ...environment },
    ...(settings !== undefined && { settings }),
  });
  const agent = env.agentCreate({ stream: scripted(said("ok")).stream, systemPrompt: false, ...rest });
  const events: AgentStreamEvent[] = [];
  agent.subscribe((event) => events.push(event));
  onTestFinished(async () => {
    agent.cancel();
    await agent.close();
    await env.close();
    expectValid(events);
  });
  return { agent, env, folder, home, events, call: (name, args = {}) => agent.toolCall(name, args) };
}

export async function put(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
}

/** A module with one tool that changes something; `body` is its function's. */
export function toolModule(name: string, body: string, rest = "", head = ""): string {
  return `${head}
export const toolDescription = () => ({ ${JSON.stringify(name)}: { description: "A tool.", inputSchema: { type: "object", properties: { timeout: { type: "number" } } }, ${rest} } });
export const ${name} = async (args, context) => { ${body} };
`;
}

/** What a model reads of a result. */
export function resultText({ content }: ToolResultEvent): string {
  return content.map((block) => (block.type === "text" ? block.text : block.type)).join("\n");
}
