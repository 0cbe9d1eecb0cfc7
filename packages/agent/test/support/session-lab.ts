import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type Agent, AgentEnv, type AgentOpenOptions, type AgentStreamEvent } from "@ashlar/agent";
import type { ToolDescriptions } from "@ashlar/context/tool";
import { OpenAIChat } from "@ashlar/io";
import { onTestFinished } from "vitest";
import { expectValid } from "./event-validity.js";
import { temporaryFolder } from "./open-agent.js";
import { scripted, text } from "./scripted-stream.js";

export interface SessionLabOptions {
  readonly tools?: ToolDescriptions;
  /** Folders of tool modules of the host. */
  readonly roots?: readonly string[];
  readonly settings?: Readonly<Record<string, unknown>>;
}

export interface SessionLab {
  /** The user's folders lie below. */
  readonly home: string;
  /** Where the sessions are. */
  readonly sessions: string;
  /** An Env of a project of this user, by name. */
  readonly project: (name?: string) => Promise<AgentEnv>;
  /** Opens an agent that answers with `ok` unless a stream is given. */
  readonly open: (env: AgentEnv, options?: AgentOpenOptions) => Promise<Agent>;
  /** Of all agents. */
  readonly events: AgentStreamEvent[];
}

/** One user with projects. Everything is closed with the test. */
export async function sessionLab({
  tools,
  roots = [],
  settings,
}: SessionLabOptions = {}): Promise<SessionLab> {
  const base = await temporaryFolder();
  const home = join(base, "home");
  await mkdir(home);
  const events: AgentStreamEvent[] = [];
  const envs: AgentEnv[] = [];
  onTestFinished(async () => {
    for (const env of envs) {
      for (const agent of env.agents()) {
        agent.cancel();
        await agent.close();
      }
      await env.close();
    }
    expectValid(events);
  });
  return {
    home,
    sessions: join(home, "data", "sessions"),
    events,
    project: async (name = "one") => {
      const folder = join(base, name);
      await mkdir(folder, { recursive: true });
      const env = await AgentEnv.open(folder, {
        collect: false,
        environment: { ASHLAR_HOME: home },
        providers: { "openai-chat": OpenAIChat },
        tools: [...roots, ...(tools === undefined ? [] : [tools])],
        settings: {
          providers: {
            lab: { provider: "openai-chat", url: "http://127.0.0.1:9", models: { one: {}, two: {} } },
          },
          model: "lab/two",
          retry: { attempts: 1 },
          ...settings,
        },
      });
      envs.push(env);
      return env;
    },
    open: async (env, options = {}) => {
      const agent = await env.agentOpen({
        stream: scripted(text("ok")).stream,
        systemPrompt: false,
        ...options,
      });
      agent.subscribe((event) => events.push(event));
      return agent;
    },
  };
}
