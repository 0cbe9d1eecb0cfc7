import type { Agent, AgentEnv, AgentOpenOptions } from "@ashlar/agent";
import { type ContextItem, isMessage, isSessionError, MessageType, type UserMessage } from "@ashlar/context";
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
  // What a user says is sent, so that a prompt in it is found; a whole conversation is taken as it is.
  const said = prompt.every(isUserMessage) ? prompt : [];
  const own = { ...options, ...(said.length === 0 && { context: prompt }) };
  const agent = await openNew(terminal, env, { wanted, options: own });
  for (const { content } of said) agent.send(content);
  return agent;
}

async function openNew(
  terminal: Terminal,
  env: AgentEnv,
  { wanted, options }: Pick<OpeningAgent, "wanted" | "options">,
): Promise<Agent> {
  if (wanted !== "usual") return env.agentOpen({ ...options, session: wanted });
  try {
    return await env.agentOpen(options);
  } catch (error) {
    if (!isSessionError(error)) throw error;
    terminal.err.write(`ashlar: this conversation is not kept: ${visibleText(error.message)}\n`);
    return env.agentOpen({ ...options, session: false });
  }
}

function isUserMessage(item: ContextItem): item is UserMessage {
  return isMessage(item) && item.type === MessageType.user;
}

/** A conversation that goes on is given what the user says, nothing else. */
function sendable(item: ContextItem): Parameters<Agent["send"]>[0] {
  if (isUserMessage(item)) return item.content;
  throw new CommandError(
    "usage",
    "a session that goes on has its conversation already; give user messages only",
    { argument: "stdin" },
  );
}
