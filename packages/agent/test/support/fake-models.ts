import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Agent, type AgentCreateOptions, AgentEnv, type AgentStreamEvent } from "@ashlar/agent";
import type { ToolContext, ToolDescriptions } from "@ashlar/context/tool";
import { OpenAI, OpenAIChat } from "@ashlar/io";
import { Ollama } from "@ashlar/provider-ollama";
import { Test } from "@ashlar/provider-test";
import { type FakeServerOptions, type RunningLLM, startFakeLLM } from "@ashlar/testing";
import { onTestFinished } from "vitest";
import { expectValid } from "./event-validity.js";
import { temporaryFolder } from "./open-agent.js";

/** Endpoints over one fake server: Ollama's wire and both of OpenAI's. */
export const WIRES = ["ollama", "chat", "responses"] as const;
export type WireName = (typeof WIRES)[number];

export interface Lab {
  readonly server: RunningLLM;
  readonly env: AgentEnv;
  /** The project folder. */
  readonly folder: string;
  readonly open: (model: string, options?: AgentCreateOptions) => Agent;
  /** Of all agents. */
  readonly events: AgentStreamEvent[];
}

export interface LabOptions {
  readonly server?: FakeServerOptions;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly tools?: ToolDescriptions;
  /** Folders of tool modules of the host. */
  readonly roots?: readonly string[];
  /** No server listens. */
  readonly deaf?: boolean;
}

/** Reads a file of the project, for real. */
const read = {
  description: "Reads a file of the project.",
  safe: true,
  inputSchema: {
    type: "object",
    properties: { path: { type: "string" }, limit: { type: "integer" } },
    required: ["path"],
  },
  fn: ({ path }: { path: string }, { env }: ToolContext) => readFile(join(env.cwd, path), "utf8"),
};

/** A project, an Env over real wires, and agents. Everything is closed with the test. */
export async function openLab(options: LabOptions = {}): Promise<Lab> {
  const server = await startFakeLLM(options.server);
  if (options.deaf === true) await server.close();
  const folder = await temporaryFolder();
  const env = await AgentEnv.open(folder, {
    layers: [],
    collect: false,
    environment: {},
    providers: { ollama: Ollama, "openai-chat": OpenAIChat, openai: OpenAI, test: Test },
    tools: [{ read, ...options.tools }, ...(options.roots ?? [])],
    settings: {
      retry: { base: 10, max: 5_000 },
      ...options.settings,
      providers: {
        ollama: { provider: "ollama", url: server.ollamaUrl },
        chat: { provider: "openai-chat", url: server.openAIUrl },
        responses: { provider: "openai", url: server.openAIUrl },
        test: { provider: "test", url: "test://script" },
      },
    },
  });
  const events: AgentStreamEvent[] = [];
  onTestFinished(async () => {
    for (const agent of env.agents()) {
      agent.cancel();
      await agent.close();
    }
    await env.close();
    if (options.deaf !== true) await server.close();
    expectValid(events);
  });
  const open = (model: string, rest: AgentCreateOptions = {}): Agent => {
    const agent = env.agentCreate({ model, systemPrompt: false, ...rest });
    agent.subscribe((event) => events.push(event));
    return agent;
  };
  return { server, env, folder, open, events };
}
