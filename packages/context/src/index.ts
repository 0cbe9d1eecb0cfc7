export { ASHLAR_ERROR, AshlarError, type AshlarErrorJson, type AshlarErrorShape, isAshlarError } from "./error.js";
export * from "./events.js";
export type * from "./json.js";
export * from "./message.js";
export type { Usage } from "./usage.js";
