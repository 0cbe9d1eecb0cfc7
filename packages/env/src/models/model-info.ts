/** One pair of endpoint and model, with its state already computed. Plugins add fields through `Env.extend({ modelInfo })`. */
export interface ModelInfo {
  readonly endpoint: string;
  readonly model: string;
  readonly label: string;
  /** The endpoint's catalogue publishes the model. */
  readonly listed: boolean;
  readonly disabled: boolean;
  readonly secret: boolean;
  readonly loginRequired: boolean;
  /** ISO time, or null. */
  readonly lastUsed: string | null;
  readonly projectLastUsed: string | null;
  readonly caps: {
    /** Tokens; null when nobody knows. */
    readonly contextWindow: number | null;
    readonly thinking: readonly string[];
    /** Names of the provider's own tools that are not opted out. */
    readonly tools: readonly string[];
    readonly streaming: boolean;
    readonly input?: readonly string[];
  };
}
