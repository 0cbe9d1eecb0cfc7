/** The arguments of `tool-refresh`: none. */
export type ToolRefreshInput = Readonly<Record<string, never>>;
