// The first program inside a sandbox. It shows the host what it sees, waits for the word, and does one thing.
import type { StartRequest } from "./frames/frame.js";
import { readFirstLine, tell } from "./inside/inside-wire.js";
import { lookAround } from "./inside/look-around.js";

tell({ kind: "ready", report: lookAround() });
const line = readFirstLine();
// Without a line the host is gone, and nothing may run.
if (line !== undefined) {
  // A cast because the line comes from the host, which is this package.
  const { start } = JSON.parse(line) as { readonly start: StartRequest };
  if ("command" in start) (await import("./inside/run-command.js")).runCommand(start);
  else if ("module" in start) await (await import("./inside/run-module.js")).runModule(start);
  else await (await import("./inside/run-check.js")).runCheck(start.check);
}
