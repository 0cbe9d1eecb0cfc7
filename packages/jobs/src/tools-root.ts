import { fileURLToPath } from "node:url";

/** Absolute path of the folder of built tool modules, for `Env.open({ tools: [toolsRoot] })`. */
export const toolsRoot: string = fileURLToPath(new URL("../dist/tools", import.meta.url));
