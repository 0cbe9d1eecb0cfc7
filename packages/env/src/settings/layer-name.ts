/** Where settings come from, weakest first. */
export type LayerName = "package" | "packages" | "user" | "project" | "constructor";
