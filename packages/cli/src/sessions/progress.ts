import type { Terminal } from "../terminal.js";

/** A terminal shows one line that changes; elsewhere lines come seldom, so that a log stays short. */
const TERMINAL_EVERY_MS = 500;
const LOG_EVERY_MS = 15_000;

export interface Progress {
  /** What was worked through so far. */
  count: number;
}

/** Says on stderr that long work goes on, how far it is and how to end it. Short work says nothing. */
export async function withProgress<Result>(
  terminal: Terminal,
  { what, of }: { readonly what: string; readonly of: string },
  work: (progress: Progress) => Promise<Result>,
): Promise<Result> {
  const progress: Progress = { count: 0 };
  const started = performance.now();
  const columns = terminal.errColumns;
  let shown = "";
  const say = (): void => {
    const seconds = Math.round((performance.now() - started) / 1_000);
    const done = progress.count === 0 ? "" : `${progress.count} ${of}, `;
    const text = `ashlar: ${what} … ${done}${seconds} s (Ctrl-C ends it)`;
    if (columns === undefined) terminal.err.write(`${text}\n`);
    else {
      const line = text.slice(0, Math.max(0, columns - 1));
      terminal.err.write(`\r${line.padEnd(shown.length)}`);
      shown = line;
    }
  };
  const timer = setInterval(say, columns === undefined ? LOG_EVERY_MS : TERMINAL_EVERY_MS);
  try {
    return await work(progress);
  } finally {
    clearInterval(timer);
    if (shown !== "") terminal.err.write(`\r${" ".repeat(shown.length)}\r`);
  }
}
