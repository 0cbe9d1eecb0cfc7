import { nearestName } from "@ashlar/context";
import { isObject } from "../loop/json-object.js";
import type { Interceptor } from "./interceptor.js";

/** The functions an interceptor may have. */
export type HookName = Exclude<keyof Interceptor, "name">;

type Ask<K extends HookName> = NonNullable<Interceptor[K]>;

/** One function of one interceptor. */
export interface Hook<K extends HookName> {
  /** Of the interceptor. */
  readonly name: string;
  readonly ask: Ask<K>;
}

/** The functions of several interceptors, each kind in order of registration. */
export type InterceptorChain = { readonly [K in HookName]: readonly Hook<K>[] };

const HOOK_NAMES: readonly HookName[] = [
  "beforeTool",
  "afterTool",
  "beforeRequest",
  "stopAfterTurn",
  "prepareNextTurn",
];

/** Why a value is no interceptor, with what would be right; undefined when it is one. */
export function interceptorProblem(value: unknown): string | undefined {
  if (!isObject(value)) return "an interceptor is an object";
  for (const [key, member] of Object.entries(value)) {
    if (key === "name") {
      if (typeof member !== "string" || member.trim() === "") return "name must be a text that is not blank";
    } else if (!HOOK_NAMES.some((name) => name === key)) {
      const near = nearestName(key, HOOK_NAMES);
      const meant = near === undefined ? `It has ${HOOK_NAMES.join(", ")}.` : `Did you mean "${near}"?`;
      return `an interceptor has no ${JSON.stringify(key)}. ${meant}`;
    } else if (member !== undefined && typeof member !== "function") return `${key} must be a function`;
  }
  return HOOK_NAMES.some((name) => value[name] !== undefined)
    ? undefined
    : `an interceptor has at least one of ${HOOK_NAMES.join(", ")}`;
}

/** Undefined for no interceptors at all, so that one look tells. */
export function createChain(interceptors: readonly Interceptor[]): InterceptorChain | undefined {
  if (interceptors.length === 0) return undefined;
  return {
    beforeTool: hooksOf(interceptors, "beforeTool"),
    afterTool: hooksOf(interceptors, "afterTool"),
    beforeRequest: hooksOf(interceptors, "beforeRequest"),
    stopAfterTurn: hooksOf(interceptors, "stopAfterTurn"),
    prepareNextTurn: hooksOf(interceptors, "prepareNextTurn"),
  };
}

function hooksOf<K extends HookName>(interceptors: readonly Interceptor[], hook: K): readonly Hook<K>[] {
  return interceptors.flatMap((interceptor, index) => {
    const ask = interceptor[hook];
    if (ask === undefined) return [];
    // Bound, so that an interceptor may be an object with a state of its own; what is bound keeps its type.
    return [{ name: interceptor.name ?? `interceptor ${index + 1}`, ask: ask.bind(interceptor) as Ask<K> }];
  });
}
