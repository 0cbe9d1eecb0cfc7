import type { Env, EnvOptions, EventKey, LayerName } from "../env.js";
import type { ModelInfo } from "../models/model-info.js";
import type { SettingsStore } from "../settings/settings-store.js";
import type { ToolIsolation } from "../tools/isolation/tool-isolation.js";

/** What a layer adds to Env, as types: one exported interface per layer is its published shape. */
export interface Adds {
  members?: object;
  events?: object;
  modelInfo?: object;
  settings?: object;
}

export interface Setting<V> {
  /** A JSON Schema literal. */
  readonly schema: object;
  readonly default: V;
  readonly description: string;
  /** Layers that may set it. Default: all but `project`. */
  readonly layers?: readonly LayerName[];
  /** A list of rules: each layer's list stands for itself, none replaces another. */
  readonly rules?: boolean;
}

/** The payloads of Env's own events. */
export interface CoreEvents {
  /** The catalogue is other than before; read it again. */
  MODELS_CHANGED: { readonly revision: number };
}

type Part<A extends Adds, K extends keyof Adds> = A extends { [P in K]: infer V extends object }
  ? V
  : unknown;
type FunctionNames<M> = { [K in keyof M]: M[K] extends (...args: never[]) => unknown ? K : never }[keyof M];
// A property that cannot be given: the compiler's message is its name.
type Taken<New, Old> = [keyof New & keyof Old] extends [never]
  ? unknown
  : {
      [K in keyof New &
        keyof Old &
        string as `'${K}' is taken: a plugin extends Env, it never overrides`]: never;
    };
// A part that the shape names must be installed; one that it does not name cannot be.
type If<M, Name extends string, V> = [keyof M] extends [never] ? unknown : { readonly [K in Name]: V };
type Self<I extends ModelInfo, M, A extends Adds> = Env<I & Part<A, "modelInfo">> & M & Part<A, "members">;

/** The run-time side of `Adds`: functions, getters, event names and settings of one layer. `S` is `this`. */
export type Plugin<A extends Adds, S, M = Part<A, "members">> = {
  readonly name: string;
  /** Describes and runs tools of packages, in Envs that are opened from now on, where `readOnlyProcess` would. One plugin may have it. */
  readonly toolIsolation?: (env: S, readOnlyProcess: ToolIsolation) => ToolIsolation;
} & If<Pick<M, FunctionNames<M>>, "methods", Pick<M, FunctionNames<M>> & ThisType<S>> &
  If<
    Omit<M, FunctionNames<M>>,
    "getters",
    { readonly [K in Exclude<keyof M, FunctionNames<M>>]: (this: S) => M[K] }
  > &
  If<Part<A, "events">, "events", ReadonlyArray<keyof Part<A, "events"> & string>> &
  If<Part<A, "modelInfo">, "modelInfo", (env: S, info: ModelInfo) => Part<A, "modelInfo">> &
  If<
    Part<A, "settings">,
    "settings",
    { readonly [K in keyof Part<A, "settings">]: Setting<Part<A, "settings">[K]> }
  >;

/** The class `Env`, as wide as the plugins its value was extended with. */
export interface EnvClass<I extends ModelInfo, M, E> {
  readonly EVENT: { readonly [K in keyof E]: EventKey<E[K]> };
  readonly SettingsStore: typeof SettingsStore;
  /** The open environments by project folder. */
  readonly envs: ReadonlyMap<string, Env<I> & M>;
  /** Of a folder that is open: the same Env, counted. Throws kind `usage` for a missing folder or other options. */
  open(dir: string, options?: EnvOptions): Promise<Env<I> & M>;
  [Symbol.hasInstance](value: unknown): value is Env<I> & M;
  /** Installs a layer's members on every Env, once. Throws kind `extend` for a taken name, naming both owners. */
  extend<A extends Adds>(
    plugin: Plugin<A, Self<I, M, A>> & Taken<Part<A, "members">, Env<I> & M> & Taken<Part<A, "events">, E>,
  ): Extension<I, M, E, A>;
  /** The same class with the members of both: for plugins that do not know each other. */
  join<I2 extends ModelInfo, M2, E2>(other: EnvClass<I2, M2, E2>): EnvClass<I & I2, M & M2, E & E2>;
}

/** What the layer that extended keeps: the wider class, and the only way to emit its events and read its settings. */
export interface Extension<I extends ModelInfo, M, E, A extends Adds> {
  readonly Env: EnvClass<I & Part<A, "modelInfo">, M & Part<A, "members">, E & Part<A, "events">>;
  emit<K extends keyof Part<A, "events">>(env: Env, event: K, payload: Part<A, "events">[K]): void;
  settings(env: Env): Readonly<Part<A, "settings">>;
}

export type Extended<C, A extends Adds> =
  C extends EnvClass<infer I, infer M, infer E> ? Extension<I, M, E, A> : never;

/** The instance type of an Env class: `type AgentEnv = EnvOf<typeof AgentEnv>`. */
export type EnvOf<C> = C extends { open(dir: string): Promise<infer E> } ? E : never;
