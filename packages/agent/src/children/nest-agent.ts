import type { Context } from "@ashlar/context";
import type { Env } from "@ashlar/env";
import type { RegisteredAgent } from "../agent-registry.js";
import type { AgentAddsOf } from "../env-plugin.js";
import type { ResultEvent } from "../loop/stream-event.js";
import type { AgentPolicy } from "../policy.js";
import type { AgentCapabilities } from "./capabilities.js";
import type { ChildAgent } from "./children.js";

/** An agent as its children and their makers see it. */
export interface NestAgent extends ChildAgent, RegisteredAgent {
  readonly env: Env & Pick<AgentAddsOf<unknown>["members"], "systemPrompt">;
  readonly context: Context;
  readonly policy: AgentPolicy;
  readonly description: string;
  readonly folder: string;
  readonly can: AgentCapabilities;
  readonly pending: number;
  readonly closeMarked: boolean;
  readonly send: (text: string) => void;
  readonly run: () => Promise<ResultEvent>;
}
