import { AgentEnv } from "@ashlar/agent";
import { toolsRoot as workerTools } from "@ashlar/agent/tools";
import type { AuthRecord } from "@ashlar/context/provider";
import { OpenAI, OpenAIChat } from "@ashlar/io";
import { toolsRoot as jobsTools } from "@ashlar/jobs/tools";
import { Ollama } from "@ashlar/provider-ollama";
import { Test } from "@ashlar/provider-test";
import { toolsRoot } from "@ashlar/tools-std";
import { useStore } from "./sessions/use-store.js";
import type { Terminal } from "./terminal.js";
import { visibleText } from "./terminal-text.js";

/** The providers this binary brings; packages add theirs through the `packages` setting. */
const builtinProviders = { ollama: Ollama, openai: OpenAI, "openai-chat": OpenAIChat, test: Test };

export interface OpenOptions {
  /** By endpoint; for this run only. */
  readonly credentials?: Readonly<Record<string, AuthRecord>>;
  /** The constructor layer of settings. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Whether to fetch model lists in the background. Default false: a short command asks for what it needs. */
  readonly collect?: boolean;
}

/** Runs `work` on the Env of the working folder, with the store of sessions that its settings name, and closes both; its diagnostics are said on stderr. */
export async function withEnv<Result>(
  terminal: Terminal,
  options: OpenOptions,
  work: (env: AgentEnv) => Promise<Result>,
): Promise<Result> {
  const env = await AgentEnv.open(terminal.cwd, {
    settings: options.settings ?? {},
    credentials: options.credentials ?? {},
    providers: builtinProviders,
    tools: [toolsRoot, jobsTools, workerTools],
    collect: options.collect ?? false,
    environment: terminal.environment,
  });
  const said = new Set<string>();
  const sayNew = (): void => {
    for (const { message } of env.diagnostics) {
      if (!said.has(message)) terminal.err.write(`ashlar: ${visibleText(message)}\n`);
      said.add(message);
    }
  };
  try {
    sayNew();
    return await withStore(env, work);
  } finally {
    // They may say why the work failed.
    sayNew();
    await env.close();
  }
}

async function withStore<Result>(env: AgentEnv, work: (env: AgentEnv) => Promise<Result>): Promise<Result> {
  const close = await useStore(env);
  try {
    return await work(env);
  } finally {
    await close();
  }
}
