#!/usr/bin/env node
import { existsSync } from "node:fs";

const built = new URL("../dist/index.js", import.meta.url);
if (!existsSync(built)) {
  console.error("fake-llm: not built yet. Run `npm run build` in the workspace first.");
  process.exit(1);
}
const { fakeLLMCommand } = await import(built.href);
const stopped = new Promise((resolve) => {
  process.once("SIGINT", resolve);
  process.once("SIGTERM", resolve);
});
process.exitCode = await fakeLLMCommand(process.argv.slice(2), {
  stdout: (line) => console.log(line),
  stderr: (line) => console.error(line),
  stopped,
});
