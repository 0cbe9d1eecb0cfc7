export { type MainOptions, main } from "./main.js";
export type { Terminal, TextSink } from "./terminal.js";
