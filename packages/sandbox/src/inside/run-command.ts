import { spawn } from "node:child_process";
import { tell, waitForTheEnd } from "./inside-wire.js";

interface CommandRequest {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** What a command may send to its whole group or session must not end the one who reports how it ended. */
const SURVIVED: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR2"];

/** Runs the command on our own standard streams and tells how it ended. */
export function runCommand({ command, cwd, environment }: CommandRequest): void {
  for (const signal of SURVIVED) process.on(signal, () => undefined);
  const [program = "", ...words] = command;
  const child = spawn(program, words, {
    cwd,
    env: { ...environment },
    stdio: "inherit",
    // A session of its own; elsewhere the host ends the group, so it must stay in it.
    detached: process.platform === "linux",
  });
  child.on("error", (error: NodeJS.ErrnoException) => {
    tell({ kind: "failed", code: error.code ?? "", message: error.message });
    waitForTheEnd();
  });
  child.on("exit", (code, signal) => {
    tell({ kind: "exit", code, signal });
    waitForTheEnd();
  });
}
