/** What the catalogue says of a fake model. */
export interface ModelFacts {
  /** Default `completion` and `tools`. */
  readonly capabilities?: readonly string[];
  /** Maximum context length in tokens. Default 131,072. */
  readonly contextLength?: number;
  /** Context length the server really allocates, whatever was asked. */
  readonly allocates?: number;
  /** Values that `think` accepts, as newer servers publish them. */
  readonly thinking?: { readonly values: readonly (string | boolean)[]; readonly default: string | boolean };
}

export const DEFAULT_CONTEXT_LENGTH = 131_072;
export const DEFAULT_CAPABILITIES: readonly string[] = ["completion", "tools"];
