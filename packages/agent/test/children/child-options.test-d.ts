import type { Agent, AgentCapabilities, ChildOptions } from "@ashlar/agent";

declare const agent: Agent;
declare const can: AgentCapabilities;

export const child: Promise<Agent> = agent.childCreate({ name: "a", folder: "src", can: { write: false } });
export const parent: Agent | undefined = agent.parent;
export const children: readonly Agent[] = agent.children;
can.spawn = undefined;

// @ts-expect-error a child is called by its name
export const nameless: ChildOptions = {};
// @ts-expect-error a child spends from its parent's budget
export const rich: ChildOptions = { name: "a", budget: { requests: 1 } };
// @ts-expect-error a child has no workers of its own
export const spawning: ChildOptions = { name: "a", can: { spawn: true } };
// @ts-expect-error children come and go by childCreate and close
agent.children = [];
