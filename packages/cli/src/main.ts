import { readFileSync } from "node:fs";
import { processTerminal } from "./process-terminal.js";
import type { Terminal } from "./terminal.js";

/** That of kind `failed`; the table of codes is not loaded for `--version`. */
const LOST_OUTPUT_EXIT_CODE = 1;

export interface MainOptions {
  /** Default: this process. */
  readonly terminal?: Terminal;
}

/** The version of the installed package. */
function version(): string {
  const manifest: { version: string } = JSON.parse(
    readFileSync(new URL("../package.json", import.meta.url), "utf8"),
  );
  return manifest.version;
}

/** Runs one command line to its end and resolves with the exit code. Never rejects for a failed command. */
export async function main(args: readonly string[], options: MainOptions = {}): Promise<number> {
  const terminal = options.terminal ?? processTerminal();
  const code = await dispatch(args, terminal);
  await Promise.all([terminal.out.flush(), terminal.err.flush()]);
  const failure = terminal.out.failure?.();
  if (failure === undefined) return code;
  terminal.err.write(`ashlar: standard output could not be written: ${failure.message}\n`);
  await terminal.err.flush();
  return LOST_OUTPUT_EXIT_CODE;
}

async function dispatch(args: readonly string[], terminal: Terminal): Promise<number> {
  // Scripts ask for the version often; it must not load the command table.
  if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
    terminal.out.write(`${version()}\n`);
    return 0;
  }
  const { runCommandLine } = await import("./command-line.js");
  return runCommandLine(args, terminal);
}
