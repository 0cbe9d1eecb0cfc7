import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Agent, type AgentCreateOptions, AgentEnv, type AgentStreamEvent } from "@ashlar/agent";
import type { ToolDescriptions } from "@ashlar/context/tool";
import { onTestFinished } from "vitest";
import { expectValid } from "./event-validity.js";

/** An empty folder that goes away with the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "ashlar-agent-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export interface OpenedAgent {
  readonly agent: Agent;
  readonly env: AgentEnv;
  readonly events: AgentStreamEvent[];
}

export interface OpenOptions extends AgentCreateOptions {
  readonly toolDescriptions?: ToolDescriptions;
  readonly envSettings?: Readonly<Record<string, unknown>>;
}

/** An agent over an Env without files. Everything is closed with the test. */
export async function openAgent({
  toolDescriptions,
  envSettings,
  ...options
}: OpenOptions): Promise<OpenedAgent> {
  const env = await AgentEnv.open(await temporaryFolder(), {
    layers: [],
    collect: false,
    environment: {},
    ...(envSettings !== undefined && { settings: envSettings }),
    ...(toolDescriptions !== undefined && { tools: [toolDescriptions] }),
  });
  const agent = env.agentCreate({ systemPrompt: false, ...options });
  const events: AgentStreamEvent[] = [];
  agent.subscribe((event) => events.push(event));
  onTestFinished(async () => {
    agent.cancel();
    await agent.close();
    await env.close();
    expectValid(events);
  });
  return { agent, env, events };
}

/** Runs one prompt. */
export async function ask(agent: Agent, prompt = "hello"): ReturnType<Agent["run"]> {
  agent.send(prompt);
  return agent.run();
}

/** A clock that only moves when somebody waits. */
export function manualRuntime(): {
  readonly runtime: NonNullable<AgentCreateOptions["runtime"]>;
  readonly waits: number[];
} {
  let now = 1_700_000_000_000;
  const waits: number[] = [];
  const runtime = {
    now: () => now,
    random: () => 0,
    wait: async (milliseconds: number): Promise<void> => {
      waits.push(milliseconds);
      now += milliseconds;
    },
  };
  return { runtime, waits };
}
