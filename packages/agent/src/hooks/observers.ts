import { nearestName } from "@ashlar/context";
import { type CoreEvents, Env } from "@ashlar/env";
import { AGENT_EVENT, type AgentEventName, type AgentEventPayloads } from "../agent-events.js";
import { isObject } from "../loop/json-object.js";
import type { HookAgent } from "./interceptor.js";

interface AgentMembership {
  readonly agent: HookAgent;
}

/**
 * Functions by event, named (`TOOL_RESULT`) or as a Symbol (`Agent.EVENT.TOOL_RESULT`). Each is called in a microtask after
 * the event and never awaited; `agent` is missing where an event of the Env is about none.
 */
export type Observers = {
  readonly [Name in AgentEventName]?: (payload: AgentEventPayloads[Name], agent: HookAgent) => unknown;
} & {
  readonly [Name in keyof CoreEvents]?: (payload: CoreEvents[Name]) => unknown;
} & {
  readonly AGENT_ADDED?: (payload: AgentMembership, agent: HookAgent) => unknown;
  readonly AGENT_REMOVED?: (payload: AgentMembership, agent: HookAgent) => unknown;
  readonly [event: symbol]: (payload: never, agent: never) => unknown;
};

/** One function, and the event it listens to. */
export interface Observer {
  readonly event: symbol;
  readonly eventName: string;
  /** Whose event it is. */
  readonly scope: "agent" | "env";
  readonly observe: (payload: unknown, agent: HookAgent | undefined) => unknown;
}

interface KnownEvent {
  readonly event: symbol;
  readonly name: string;
  readonly scope: Observer["scope"];
}

/** Throws a TypeError that names what is no event or no function. */
export function readObservers(value: unknown): readonly Observer[] {
  if (!isObject(value)) throw new TypeError("hooks must give an object of functions by event");
  const known = knownEvents();
  return Reflect.ownKeys(value).map((key) => {
    const found = known.find(({ event, name }) => key === event || key === name);
    if (found === undefined) throw new TypeError(unknownEvent(key, known));
    const observe: unknown = Reflect.get(value, key);
    if (typeof observe !== "function") throw new TypeError(`hooks: ${found.name} must be a function`);
    const { event, name: eventName, scope } = found;
    return { event, eventName, scope, observe: (payload, agent) => observe.call(value, payload, agent) };
  });
}

function knownEvents(): readonly KnownEvent[] {
  const all = (keys: object, scope: Observer["scope"]): readonly KnownEvent[] =>
    Object.entries(keys).map(([name, event]) => ({ event, name, scope }));
  return [...all(AGENT_EVENT, "agent"), ...all(Env.EVENT, "env")];
}

function unknownEvent(key: string | symbol, known: readonly KnownEvent[]): string {
  const name = typeof key === "symbol" ? (key.description ?? "").replace(/^.*\./u, "") : key;
  const near = nearestName(
    name,
    known.map((event) => event.name),
  );
  const what = typeof key === "symbol" ? String(key) : JSON.stringify(key);
  const hint = near === undefined ? "They stand in Agent.EVENT and Env.EVENT." : `Did you mean ${near}?`;
  return `hooks: ${what} is no event. ${hint}`;
}
