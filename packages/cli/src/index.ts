export { main, type MainOptions } from "./main.js";
export type { Terminal, TextSink } from "./terminal.js";
