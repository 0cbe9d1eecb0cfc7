import type { Terminal } from "./terminal.js";
import { createTextSink } from "./text-sink.js";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Exit code of a run that a signal ended, and of the second signal, which does not wait. */
export const CANCELLED_EXIT_CODE = 130;

const DEFAULT_COLUMNS = 80;

function wantsColour(environment: NodeJS.ProcessEnv, isTerminal: boolean): boolean {
  if (environment.NO_COLOR) return false;
  if (environment.FORCE_COLOR || environment.CLICOLOR_FORCE) return true;
  return isTerminal && environment.TERM !== "dumb";
}

/** A terminal that does not know how wide it is counts as the usual one. */
function columnsOf(stream: NodeJS.WriteStream): number | undefined {
  return stream.isTTY ? stream.columns || DEFAULT_COLUMNS : undefined;
}

/** The real process as a `Terminal`. Call it once. */
export function processTerminal(): Terminal {
  const cancel = new AbortController();
  const readerGone = (): void => cancel.abort(new Error("nobody reads standard output any more"));
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (cancel.signal.aborted) process.exit(CANCELLED_EXIT_CODE);
      cancel.abort(new Error(signal));
    });
  }
  return {
    cwd: process.cwd(),
    environment: process.env,
    input: process.stdin.isTTY ? undefined : process.stdin,
    out: createTextSink(process.stdout, readerGone),
    err: createTextSink(process.stderr, () => undefined),
    cancelled: cancel.signal,
    colour: wantsColour(process.env, process.stderr.isTTY === true),
    outColumns: columnsOf(process.stdout),
    errColumns: columnsOf(process.stderr),
  };
}
