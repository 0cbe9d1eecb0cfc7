import type { Agent, AgentEnv, AgentOpenOptions } from "@ashlar/agent";
import { type ContextItem, isMessage, isSessionError, MessageType } from "@ashlar/context";
import { CommandError } from "../command-error.js";
import type { Terminal } from "../terminal.js";
import { visibleText } from "../terminal-text.js";
import type { WantedSession } from "./session-choice.js";

export interface OpeningAgent {
  readonly wanted: WantedSession;
  /** What is said now. */
  readonly prompt: readonly ContextItem[];
  readonly options: AgentOpenOptions;
}

/** Opens an agent over the wanted session. Where nobody asked for one, a store that fails is a notice, not the end. */
export async function openAgent(
  terminal: Terminal,
  env: AgentEnv,
  { wanted, prompt, options }: OpeningAgent,
): Promise<Agent> {
  if (wanted !== "usual" && wanted !== false && wanted.resume !== undefined) {
    const said = prompt.map(sendable);
    const agent = await env.agentOpen({ ...options, session: wanted });
    for (const content of said) agent.send(content);
    return agent;
  }
  const own: AgentOpenOptions = { ...options, context: prompt };
  if (wanted !== "usual") return env.agentOpen({ ...own, session: wanted });
  try {
    return await env.agentOpen(own);
  } catch (error) {
    if (!isSessionError(error)) throw error;
    terminal.err.write(`ashlar: this conversation is not kept: ${visibleText(error.message)}\n`);
    return env.agentOpen({ ...own, session: false });
  }
}

/** A conversation that goes on is given what the user says, nothing else. */
function sendable(item: ContextItem): Parameters<Agent["send"]>[0] {
  if (isMessage(item) && item.type === MessageType.user) return item.content;
  throw new CommandError(
    "usage",
    "a session that goes on has its conversation already; give user messages only",
    { argument: "stdin" },
  );
}
