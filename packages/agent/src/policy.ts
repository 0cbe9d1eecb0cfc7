import { parseDuration } from "@ashlar/env";
import { AgentError } from "./agent-error.js";
import { type BudgetLimits, DEFAULT_BUDGET } from "./loop/budget.js";
import type { ContextPolicy } from "./loop/context-guard.js";
import { isObject } from "./loop/json-object.js";
import type { RetryPolicy } from "./loop/retry.js";

/** The settings an agent runs by: resolved when it is built and when its model changes, never in the middle of a run. */
export interface AgentPolicy {
  readonly context: ContextPolicy;
  readonly retry: RetryPolicy;
  /** Milliseconds, and how many safe calls overlap. */
  readonly tools: { readonly timeout: number; readonly timeoutLimit: number; readonly concurrency: number };
  readonly budget: BudgetPolicy;
}

/** `Infinity`: no limit. */
export interface BudgetPolicy extends BudgetLimits {
  /** Equal calls that stop a run. */
  readonly repeats: number;
}

type Settings = Readonly<Record<string, unknown>>;

/** Reads `settings` for a model. Throws kind `settings`, naming the key. */
export function resolvePolicy(settings: Settings, endpoint: string, model: string): AgentPolicy {
  const record = groupOf(groupOf(settings, "providers"), endpoint);
  const own = groupOf(groupOf(record, "models"), model);
  const context = new SettingsGroup("context", [own.context, record.context, settings.context]);
  const retry = new SettingsGroup("retry", [settings.retry]);
  const tools = new SettingsGroup("tools", [settings.tools]);
  return Object.freeze({
    context: Object.freeze({
      cap: context.fraction("cap", 0.9),
      turn: context.fraction("turn", 0.4),
      assumedWindow: context.count("assumedWindow", 200_000),
      autocompact: context.part("autocompact", 0.4),
      autocompactMax: context.ceiling("autocompactMax", 200_000),
    }),
    retry: Object.freeze({
      attempts: retry.count("attempts", 3),
      base: retry.duration("base", 2_000),
      max: retry.duration("max", 30_000),
    }),
    tools: Object.freeze({
      timeout: tools.duration("timeout", 120_000),
      timeoutLimit: tools.duration("timeoutLimit", 1_200_000),
      concurrency: tools.count("concurrency", 3),
    }),
    budget: resolveBudget(settings.budget, "budget"),
  });
}

/** Reads a budget as settings and options spell it. What is left out has its default. */
export function resolveBudget(value: unknown, name: string, base: BudgetPolicy = DEFAULTS): BudgetPolicy {
  const budget = new SettingsGroup(name, [value]);
  return Object.freeze({
    requests: budget.limit("requests", base.requests),
    tokens: budget.limit("tokens", base.tokens),
    durationMs: budget.limit("duration", base.durationMs, (given, key) => parseDuration(given, key)),
    cost: budget.limit("cost", base.cost),
    depth: budget.whole("depth", base.depth),
    width: budget.whole("width", base.width),
    repeats: budget.limit("repeats", base.repeats),
  });
}

const DEFAULTS: BudgetPolicy = Object.freeze({ ...DEFAULT_BUDGET, repeats: 8 });

function groupOf(parent: Settings, key: string): Settings {
  const value = parent[key];
  return isObject(value) ? value : {};
}

/** One settings key with members, from several places, strongest first. */
class SettingsGroup {
  readonly #name: string;
  readonly #places: readonly Settings[];

  constructor(name: string, places: readonly unknown[]) {
    this.#name = name;
    this.#places = places.filter(isObject);
  }

  count(key: string, fallback: number): number {
    const value = this.#read(key) ?? fallback;
    if (typeof value === "number" && Number.isInteger(value) && value > 0) return value;
    throw this.#wrong(key, value, "a whole number above 0");
  }

  whole(key: string, fallback: number): number {
    const value = this.#read(key) ?? fallback;
    if (typeof value === "number" && (Number.isInteger(value) || value === Infinity) && value >= 0)
      return value;
    throw this.#wrong(key, value, "a whole number from 0");
  }

  /** Above 1 it is percent. */
  fraction(key: string, fallback: number): number {
    const value = this.#read(key) ?? fallback;
    if (typeof value === "number" && value > 0 && value <= 100) return value > 1 ? value / 100 : value;
    throw this.#wrong(key, value, "a fraction such as 0.9, or percent such as 90");
  }

  /** 0 switches it off, and so do `false` and the whole. */
  part(key: string, fallback: number): number {
    const value = this.#read(key) ?? fallback;
    if (value === false || value === 0) return 0;
    const fraction = this.fraction(key, fallback);
    return fraction === 1 ? 0 : fraction;
  }

  /** 0 and `false` are no limit. */
  ceiling(key: string, fallback: number): number {
    const value = this.#read(key) ?? fallback;
    if (value === false || value === 0) return Number.POSITIVE_INFINITY;
    return this.count(key, fallback);
  }

  duration(key: string, fallback: number): number {
    return parseDuration(this.#read(key) ?? fallback, `${this.#name}.${key}`);
  }

  /** `false` is no limit. */
  limit(key: string, fallback: number, parse: (value: unknown, key: string) => number = Number): number {
    const value = this.#read(key);
    if (value === undefined) return fallback;
    if (value === false) return Infinity;
    const limit = typeof value === "number" ? value : parse(value, `${this.#name}.${key}`);
    if (typeof value !== "boolean" && limit > 0) return limit;
    throw this.#wrong(key, value, "a number above 0, or false for no limit");
  }

  #read(key: string): unknown {
    for (const place of this.#places) if (place[key] !== undefined && place[key] !== null) return place[key];
    return undefined;
  }

  #wrong(key: string, value: unknown, wanted: string): AgentError<"settings"> {
    const name = `${this.#name}.${key}`;
    return new AgentError("settings", `${name}: ${JSON.stringify(value)} is not ${wanted}.`, { key: name });
  }
}
