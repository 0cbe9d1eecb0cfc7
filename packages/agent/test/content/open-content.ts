import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type Agent, type AgentCreateOptions, AgentEnv, type AgentStreamEvent } from "@ashlar/agent";
import { Ollama } from "@ashlar/provider-ollama";
import { type FakeScript, type RunningLLM, startFakeLLM } from "@ashlar/testing";
import { onTestFinished } from "vitest";
import { expectValid } from "../support/event-validity.js";
import { temporaryFolder } from "../support/open-agent.js";

/** The standard tools as they are built. */
const tools = join(
  dirname(createRequire(import.meta.url).resolve("@ashlar/tools-std/package.json")),
  "dist/tools",
);

export interface ContentLab {
  readonly env: AgentEnv;
  readonly folder: string;
  readonly home: string;
  readonly server: RunningLLM;
  readonly put: (path: string, text: string) => Promise<void>;
  readonly open: (options?: AgentCreateOptions) => Agent;
  /** Bodies of the requests so far, as text. */
  readonly asked: () => readonly string[];
}

/** A project with all layers, the standard tools, and a model on a real wire that answers as the script says. */
export async function openContentLab(script?: FakeScript): Promise<ContentLab> {
  const server = await startFakeLLM(script === undefined ? {} : { script });
  const [folder, home] = [await temporaryFolder(), await temporaryFolder()];
  const env = await AgentEnv.open(folder, {
    collect: false,
    environment: { PATH: process.env.PATH, HOME: home, ASHLAR_HOME: home },
    providers: { ollama: Ollama },
    tools: [tools],
    settings: { providers: { ollama: { provider: "ollama", url: server.ollamaUrl } } },
  });
  const events: AgentStreamEvent[] = [];
  onTestFinished(async () => {
    for (const agent of env.agents()) await agent.close();
    await env.close();
    await server.close();
    expectValid(events);
  });
  return {
    env,
    folder,
    home,
    server,
    put: async (path, text) => {
      const file = join(folder, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    },
    open: (options = {}) => {
      const agent = env.agentCreate({ model: "ollama/ok", ...options });
      agent.subscribe((event) => events.push(event));
      return agent;
    },
    asked: () =>
      server
        .asked()
        .filter(({ wire }) => wire !== undefined)
        .map(({ text }) => text),
  };
}

export function skillText(name: string, body: string): string {
  return `---\nname: ${name}\ndescription: Use it for ${name}: always\n---\n\n${body}\n`;
}

/** How often a text stands in another. */
export function times(text: string, part: string): number {
  return text.split(part).length - 1;
}
