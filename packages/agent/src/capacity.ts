import { isObject } from "./loop/json-object.js";

/** How many agents may work with a model at one time, and how many do. */
export interface ModelCapacity {
  readonly maxActive: number;
  /** Agents of this model with a run under way. */
  readonly active: number;
  readonly available: number;
}

export interface CapacityQuestion {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly endpoint: string;
  readonly model: string;
  readonly active: number;
}

/** The tightest of the global limit, the endpoint's and the model's; `false` counts as 0. An observation, not a reservation. */
export function capacityOf({ settings, endpoint, model, active }: CapacityQuestion): ModelCapacity {
  const record = memberOf(memberOf(settings, "providers"), endpoint);
  const own = memberOf(memberOf(record, "models"), model);
  const limits = [settings, record, own].map(limitOf).filter((limit) => limit !== undefined);
  const maxActive = limits.length === 0 ? DEFAULT_MAX_ACTIVE : Math.min(...limits);
  return { maxActive, active, available: Math.max(0, maxActive - active) };
}

/** The same for a model by its qualified name, `agents` being the open ones of an Env. */
export function modelCapacity(
  settings: CapacityQuestion["settings"],
  agents: readonly { readonly busy: boolean; readonly model: string }[],
  selector: string,
): ModelCapacity {
  const slash = selector.indexOf("/");
  const [endpoint, model] = [selector.slice(0, slash), selector.slice(slash + 1)];
  const active = agents.filter((agent) => agent.busy && agent.model === selector).length;
  return capacityOf({ settings, endpoint, model, active });
}

const DEFAULT_MAX_ACTIVE = 8;

function limitOf(record: Readonly<Record<string, unknown>>): number | undefined {
  const { maxActive } = record;
  if (maxActive === false) return 0;
  return typeof maxActive === "number" && maxActive >= 0 ? maxActive : undefined;
}

function memberOf(record: Readonly<Record<string, unknown>>, key: string): Readonly<Record<string, unknown>> {
  const value = record[key];
  return isObject(value) ? value : {};
}
