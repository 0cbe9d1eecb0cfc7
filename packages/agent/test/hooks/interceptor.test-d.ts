import type { AgentEnv, Interceptor, Observers } from "@ashlar/agent";

declare const env: AgentEnv;

// Nothing to say is said by returning nothing, at once or later.
export const silent: Interceptor = {
  beforeTool: ({ name }) => {
    console.log(name);
  },
  beforeRequest: async () => {},
};

// What is said only sometimes needs no other branch.
export const sometimes: Interceptor = {
  beforeTool: ({ name }) => {
    if (name === "bash") return { block: "not here" };
  },
  prepareNextTurn: async ({ requests }) => (requests > 3 ? { thinking: "low" } : undefined),
};

export const wrong: Interceptor = {
  // @ts-expect-error a reason is a text
  beforeTool: () => ({ block: true }),
  // @ts-expect-error there is no such level
  prepareNextTurn: () => ({ thinking: "hard" }),
  // @ts-expect-error it ends the run or not
  stopAfterTurn: () => "yes",
  // @ts-expect-error hooks read the conversation
  afterTool: ({ agent }) => agent.context.append({ type: 2, content: [] }),
};

export const observers: Observers = {
  TOOL_RESULT: ({ result }, agent) => [result.callId, agent.name],
  AGENT_ADDED: ({ agent }, self) => agent === self,
  MODELS_CHANGED: ({ revision }) => revision + 1,
};

// @ts-expect-error an event by this name is unknown
env.observe({ TOOL_RESLT: () => undefined });
